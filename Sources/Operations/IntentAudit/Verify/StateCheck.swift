internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Compares the latest values of one partition's state with what turns wrote.
///
/// What a stage keeps about unfinished turns (the parked turn, the events behind it) is no turn's output. The events in
/// it are compared with their topics instead.
struct StateCheck {
    private struct Written {
        var digest: String
        var position: RecordPosition
    }

    private var written: [StateKey: Written] = [:]
    /// What turns wrote that ran while the state was read.
    private var later: [StateKey: Set<String>] = [:]
    /// The digests of all that turns wrote; zero for a removal.
    private var digests: [StateKey: Set<RecordIndex.Digest>] = [:]
    /// Values on the topic that none of the turns read so far has written, with their digests.
    private var suspects: [(key: StateKey, digest: RecordIndex.Digest?)] = []
    /// The number of values that turns wrote, and how many of those are on the topic.
    private var counts = (written: 0, found: 0)
    /// Events that wait behind parked turns.
    private(set) var waiting: Set<RecordPosition> = []

    /// Records what a turn wrote; an empty digest is a removal.
    mutating func record(_ key: StateKey, digest: String, at position: RecordPosition, isTail: Bool) {
        self.digests[key, default: []].insert(RecordIndex.digest(digest) ?? .zero)
        if !isTail, !Self.isOfUnfinishedTurn(key) { self.counts.written += 1 }
        if isTail {
            self.later[key, default: []].insert(digest)
        } else {
            self.written[key] = Written(digest: digest, position: position)
        }
    }

    /// Checks a value on the topic, whether overwritten or not, in log order.
    mutating func see(_ key: StateKey, _ value: [UInt8]?, chains: ChainCheck) {
        guard let stage = key.stage, !Self.isOfUnfinishedTurn(key) else { return }
        if key.user.isEmpty, key.name == StateKey.chain {
            let text = value.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if !chains.holds(text, of: stage) { self.suspects.append((key, RecordIndex.digest(text))) }
            return
        }
        // The memory of an ended interaction is removed after a while, by no turn.
        if value == nil, key.name.hasPrefix(StateName.knownInteractions) { return }
        let digest = value.flatMap { RecordIndex.digest(RecordDigest.of($0)) } ?? .zero
        if self.digests[key]?.contains(digest) ?? false {
            self.counts.found += 1
        } else {
            self.suspects.append((key, digest))
        }
    }

    /// The number of values that turns wrote and that are no longer on the topic.
    var overwritten: Int { max(0, self.counts.written - self.counts.found) }

    /// Finds values that were overwritten since and that no turn has written.
    ///
    /// - Parameters:
    ///   - entries: The latest values, which are checked separately.
    ///   - partition: The partition's number.
    ///   - chains: The chains that were followed.
    /// - Returns: The findings.
    func altered(
        _ entries: [StateKey: [UInt8]],
        partition: Int,
        chains: ChainCheck
    ) -> [AuditFinding] {
        self.suspects.compactMap { key, digest in
            let isChain = key.user.isEmpty && key.name == StateKey.chain
            let latest = entries[key]
                .flatMap { RecordIndex.digest(isChain ? String(decoding: $0, as: UTF8.self) : RecordDigest.of($0)) }
            if latest ?? .zero == digest ?? .zero { return nil }
            // A turn that ran meanwhile may have written it.
            let isKnown =
                isChain
                ? key.stage.map { chains.holds(digest, of: $0) } ?? true
                : digest.map { self.digests[key]?.contains($0) ?? false } ?? false
            guard !isKnown else { return nil }
            let name = "state/\(partition) \(String(decoding: key.bytes, as: UTF8.self))"
            return AuditFinding(.state, name, "No turn wrote one of its earlier, overwritten values.")
        }
    }

    /// Compares the state with the turns.
    ///
    /// - Parameters:
    ///   - entries: The latest values.
    ///   - partition: The partition's number.
    ///   - chains: The chains that were followed.
    ///   - isCut: Whether turns are missing from the journal's beginning.
    ///   - record: Returns the digest of the record at a position: nil when it cannot be determined, nil inside when there
    ///     is none.
    /// - Returns: The findings.
    mutating func verify(
        _ entries: [StateKey: [UInt8]],
        partition: Int,
        chains: ChainCheck,
        isCut: Bool,
        record: (RecordPosition) -> RecordIndex.Digest??
    ) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        func find(_ key: StateKey, _ detail: String) {
            let name = "state/\(partition) \(String(decoding: key.bytes, as: UTF8.self))"
            findings.append(AuditFinding(.state, name, detail))
        }
        for (key, value) in entries.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            guard let stage = key.stage else { continue }
            if key.user.isEmpty, key.name == StateKey.chain {
                let digest = String(decoding: value, as: UTF8.self)
                if let problem = chains.problem(ofHead: digest, of: stage) { find(key, problem) }
            } else if Self.isOfUnfinishedTurn(key) {
                if let problem = self.problem(ofStoredEventIn: value, key, record) { find(key, problem) }
            } else if let problem = self.problem(of: value, key, isCut: isCut) {
                find(key, problem)
            }
        }
        for stage in chains.stages where entries[StateKey(stage: stage, user: "", name: StateKey.chain)] == nil {
            find(StateKey(stage: stage, user: "", name: StateKey.chain), "The digest of the last turn is missing.")
        }
        for (key, written) in self.written.sorted(by: { $0.value.position.offset < $1.value.position.offset }) {
            // The memory of an ended interaction is removed after a while, by no turn.
            guard entries[key] == nil, !written.digest.isEmpty, !key.name.hasPrefix(StateName.knownInteractions),
                !Self.isOfUnfinishedTurn(key), !(self.later[key]?.contains("") ?? false)
            else { continue }
            find(key, "It is missing, but turn \(written.position) wrote it and no turn removed it.")
        }
        return findings
    }

    private static func isOfUnfinishedTurn(_ key: StateKey) -> Bool {
        key.name == StateName.parked || key.name.hasPrefix(StateName.queue)
    }

    private func problem(of value: [UInt8], _ key: StateKey, isCut: Bool) -> String? {
        let digest = RecordDigest.of(value)
        if self.later[key]?.contains(digest) ?? false { return nil }
        guard let written = self.written[key] else { return isCut ? nil : "No turn wrote this." }
        if written.digest == digest { return nil }
        return written.digest.isEmpty
            ? "Turn \(written.position) removed it, but it is present."
            : "Its value differs from the one that turn \(written.position) wrote last."
    }

    private mutating func problem(
        ofStoredEventIn value: [UInt8],
        _ key: StateKey,
        _ record: (RecordPosition) -> RecordIndex.Digest??
    ) -> String? {
        let json = try? JSONValue(parsing: value)
        let stored = (key.name == StateName.parked ? json?["event"] : json).flatMap(StoredRecord.init(json:))
        guard let stored else { return "It holds no event." }
        if key.name.hasPrefix(StateName.queue) { self.waiting.insert(stored.position) }
        guard let digest = record(stored.position) else { return nil }
        let own = RecordDigest.of(stored)
        return digest == RecordIndex.digest(own) ? nil : "Its event differs from the one at \(stored.position)."
    }
}
