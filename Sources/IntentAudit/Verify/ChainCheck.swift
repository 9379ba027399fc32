internal import IntentEvents
internal import IntentRuntime

/// Follows the chains of one partition's turns, one for each stage (R41).
struct ChainCheck {
    private struct Head {
        var digest: String
        var position: RecordPosition
    }

    private let partition: Int
    private var anchors: Set<Anchor.Head>
    /// Whether retention has removed the chains' beginnings.
    var isCut = false
    /// Breaks that were found.
    private(set) var findings: [AuditFinding] = []
    /// How many anchored heads were passed.
    private(set) var anchorsFound = 0
    private var heads: [Stage: Head] = [:]
    private var tail: Set<String> = []

    /// Begins before the first turn.
    init(partition: Int, anchors: [Anchor.Head]) {
        self.partition = partition
        self.anchors = Set(anchors)
    }

    /// Adds the next turn.
    mutating func append(_ turn: TurnRecord, digest: String, at position: RecordPosition, isTail: Bool) {
        if let head = self.heads[turn.stage] {
            if turn.previousDigest != head.digest {
                let words =
                    "The chain of \(turn.stage) breaks: the turn before this one had the digest "
                    + "\(turn.previousDigest.prefix(16))…, but \(head.position) has \(head.digest.prefix(16))…. That one was "
                    + "changed, one between the two removed, or they were put in another order."
                self.findings.append(AuditFinding(.chain, position.description, words))
            }
        } else if !turn.previousDigest.isEmpty, !self.isCut {
            let words =
                "The chain of \(turn.stage) begins with a turn that is not its first: those before it were removed."
            self.findings.append(AuditFinding(.chain, position.description, words))
        }
        self.heads[turn.stage] = Head(digest: digest, position: position)
        if isTail { self.tail.insert(digest) }
        if self.anchors.remove(Anchor.Head(stage: turn.stage, partition: self.partition, digest: digest)) != nil {
            self.anchorsFound += 1
        }
    }

    /// Anchored heads that no turn has.
    var missingAnchors: [AuditFinding] {
        self.anchors.sorted { ($0.stage, $0.digest) < ($1.stage, $1.digest) }
            .map { anchor in
                let last =
                    self.heads[anchor.stage].map { "; it now ends with \($0.position)" } ?? "; it holds none at all"
                return AuditFinding(
                    .anchor,
                    "journal/\(self.partition)",
                    "The anchored turn \(anchor.digest.prefix(16))… of \(anchor.stage) is not there: the end was cut off, or "
                        + "that turn or one before it was changed\(last)."
                )
            }
    }

    /// What is wrong with the head that the state has; nil when it is one of the turns that were read last.
    func problem(ofHead digest: String, of stage: Stage) -> String? {
        guard let head = self.heads[stage] else {
            return self.isCut ? nil : "The state says that \(stage) has had turns here, but the journal holds none."
        }
        if digest == head.digest || self.tail.contains(digest) { return nil }
        return
            "The last turn of \(stage) had the digest \(digest.prefix(16))…, but \(head.position), the last one in the "
            + "journal, has \(head.digest.prefix(16))…: that one was changed, or the end was cut off."
    }

    /// The stages that have turns here.
    var stages: [Stage] { self.heads.keys.sorted() }
}
