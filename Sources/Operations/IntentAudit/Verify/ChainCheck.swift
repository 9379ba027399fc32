internal import IntentEvents

/// A head with the time of its anchor.
struct AnchoredHead: Sendable {
    var head: Anchor.Head
    /// When the anchor was made.
    var at: Timestamp
}

/// Follows the chains of one partition's turns, one for each stage (R41).
struct ChainCheck {
    private struct Head {
        var digest: String
        var position: RecordPosition
        var about: InteractionReference
    }

    /// A turn that an anchor names.
    private struct AnchoredTurn: Hashable {
        var stage: Stage
        var digest: String
    }

    private let partition: Int
    private var anchors: [AnchoredTurn: AnchoredHead]
    /// Whether retention has removed the chains' beginnings.
    var isCut = false
    /// Breaks that were found.
    private(set) var findings: [AuditFinding] = []
    /// The number of anchored heads that were passed.
    private(set) var anchorsFound = 0
    private var heads: [Stage: Head] = [:]
    private var digests: [Stage: Set<RecordIndex.Digest>] = [:]
    private var tail: Set<String> = []

    /// Creates a check that begins before the first turn.
    init(partition: Int, anchors: [AnchoredHead]) {
        self.partition = partition
        self.anchors = Dictionary(
            anchors.map { (AnchoredTurn(stage: $0.head.stage, digest: $0.head.digest), $0) }
        ) { first, _ in first }
    }

    mutating func append(_ turn: TurnRecord, digest: String, at position: RecordPosition, isTail: Bool) {
        if let head = self.heads[turn.stage] {
            if turn.previousDigest != head.digest {
                let detail =
                    "The chain of \(turn.stage) is broken: the previous turn had the digest "
                    + "\(turn.previousDigest.prefix(16))…, but \(head.position) has \(head.digest.prefix(16))…. That turn was "
                    + "changed, a turn between the two was removed, or the order was changed."
                // It is the turn before that was changed, as a rule.
                self.findings.append(AuditFinding(.chain, position.description, detail, about: head.about))
            }
        } else if !turn.previousDigest.isEmpty, !self.isCut {
            let detail =
                "The chain of \(turn.stage) begins with a turn that is not its first: earlier turns were removed."
            self.findings.append(
                AuditFinding(.chain, position.description, detail, about: InteractionReference(turn))
            )
        }
        self.heads[turn.stage] = Head(digest: digest, position: position, about: InteractionReference(turn))
        if isTail { self.tail.insert(digest) }
        if let digest = RecordIndex.digest(digest) { self.digests[turn.stage, default: []].insert(digest) }
        if self.anchors.removeValue(forKey: AnchoredTurn(stage: turn.stage, digest: digest)) != nil {
            self.anchorsFound += 1
        }
    }

    func holds(_ digest: String, of stage: Stage) -> Bool { self.holds(RecordIndex.digest(digest), of: stage) }

    /// Whether a turn of the stage has that digest; no turn has nil.
    func holds(_ digest: RecordIndex.Digest?, of stage: Stage) -> Bool {
        digest.map { self.digests[stage]?.contains($0) ?? false } ?? false
    }

    /// Finds anchored heads that no turn has.
    ///
    /// A person who removes the beginning of a journal also removes what is anchored there. Whether retention has done
    /// so can be decided by the time: retention removes nothing that is younger.
    ///
    /// - Parameters:
    ///   - start: The offset at which the journal begins.
    ///   - firstTime: The time of the first record that it holds, in milliseconds; nil when it holds none.
    ///   - retention: The time for which it keeps records, in milliseconds; nil when that is not known.
    ///   - now: The time.
    /// - Returns: The heads that were removed or changed by hand, and the number that retention has removed.
    func missingAnchors(
        before start: Int64,
        firstTime: Int64?,
        retention: Int64?,
        now: Timestamp
    ) -> (findings: [AuditFinding], notes: [String]) {
        var findings: [AuditFinding] = []
        var aged = 0
        for anchor in self.anchors.values.sorted(by: {
            ($0.head.stage, $0.head.digest) < ($1.head.stage, $1.head.digest)
        }) {
            let head = anchor.head
            let isBefore =
                head.offset.map { $0 < start } ?? (self.isCut && anchor.at.milliseconds < firstTime ?? .max)
            if !isBefore {
                let last =
                    self.heads[head.stage].map { "; it now ends with \($0.position)" } ?? "; it holds none at all"
                let detail =
                    "The anchored turn \(head.digest.prefix(16))… of \(head.stage) is missing: the end was cut off, or that "
                    + "turn or one before it was changed\(last)."
                findings.append(AuditFinding(.anchor, "journal/\(self.partition)", detail))
            } else if let time = head.time, let retention, now - time < retention - Self.clockSkew {
                let detail =
                    "The anchored turn \(head.digest.prefix(16))… of \(head.stage) was removed before the topic's retention "
                    + "of \(retention / 86_400_000) days: the beginning was cut off."
                findings.append(AuditFinding(.anchor, "journal/\(self.partition)", detail))
            } else {
                aged += 1
            }
        }
        guard aged > 0 else { return (findings, []) }
        let turns = aged == 1 ? "1 anchored turn" : "\(aged) anchored turns"
        return (findings, ["Retention has removed \(turns) of journal/\(self.partition)."])
    }

    /// The largest difference between the clocks of writers and verifiers that is allowed for, in milliseconds.
    private static let clockSkew: Int64 = 3_600_000

    /// What is wrong with the head in the state; nil when it is one of the turns that were read last.
    func problem(ofHead digest: String, of stage: Stage) -> String? {
        guard let head = self.heads[stage] else {
            return self.isCut ? nil : "The state has a chain head of \(stage), but the journal holds no turns of it."
        }
        if digest == head.digest || self.tail.contains(digest) { return nil }
        return
            "The last turn of \(stage) had the digest \(digest.prefix(16))…, but \(head.position), the last one in the "
            + "journal, has \(head.digest.prefix(16))…: that turn was changed, or the end was cut off."
    }

    /// The stages that have turns here.
    var stages: [Stage] { self.heads.keys.sorted() }
}
