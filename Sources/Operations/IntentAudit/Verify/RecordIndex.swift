internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The digests of one partition's records, by offset and by content.
///
/// About 150 bytes a record, for one partition at a time.
struct RecordIndex {
    /// A SHA-256 in a form that needs no heap memory.
    typealias Digest = SIMD4<UInt64>

    private struct Entry {
        var offset: Int64
        var timestamp: Int64
        var digest: Digest
        /// A hash of `ce_id`, to find a record that was changed.
        var id: UInt64
        /// The stage that must process it, if it is a stage's input.
        var consumer: Stage?
        /// Whether no turn need have written it: a timer, or an act of an operator.
        var isWithoutTurn: Bool
        /// Whether it is the terminal response of an interaction.
        var isEnd = false
        /// Whether a turn that wrote it was found.
        var isClaimed = false
        /// Whether a turn that processed it was found.
        var isProcessed = false
    }

    let topic: Topic
    /// The first offset that the topic still holds.
    let earliest: Int64
    private var entries: [Entry] = []
    private var indices: [Digest: [Int]] = [:]
    /// The indices by the hash of `ce_id`; created when the first output is not found by its digest.
    private var indicesByID: [UInt64: [Int]]?
    /// By stage, the index of the last record that a turn of it wrote.
    private var last: [Stage: Int] = [:]

    /// The first request of those that were redriven from each other, by the offset of each that followed it.
    private(set) var origins: [Int64: String] = [:]

    var count: Int { self.entries.count }

    /// Reads a partition up to an end.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - topic: The partition's topic.
    ///   - partition: The partition.
    ///   - range: The offsets to read.
    ///   - tally: Counts what is read.
    ///   - isOfGateway: Whether a gateway may have written a record, without a turn.
    /// - Throws: `LogError`.
    init(
        _ log: any EventLog,
        _ topic: Topic,
        _ partition: TopicPartition,
        range: Range<Int64>,
        tally: ReadingTally,
        isOfGateway: (LogRecord) -> Bool
    ) async throws {
        self.topic = topic
        self.earliest = range.lowerBound
        let cursor = PartitionCursor(log, partition, from: range.lowerBound, to: range.upperBound)
        var position = range.lowerBound
        while let records = try await cursor.next() {
            tally.advance(by: cursor.position - position)
            position = cursor.position
            for record in records { self.append(record, isClaimed: isOfGateway(record)) }
        }
    }

    private mutating func append(_ record: LogRecord, isClaimed: Bool) {
        let digest = Self.digest(RecordDigest.of(record)) ?? .zero
        var consumer = Stage.allCases.first { $0.inputTopic == self.topic }
        if self.topic == .signals { consumer = record.header(EventHeaderName.stage).flatMap(Stage.init(rawValue:)) }
        if self.topic == .requests, let origin = record.header(EventHeaderName.redriveOf) {
            self.origins[record.offset] = origin
        }
        self.indices[digest, default: []].append(self.entries.count)
        let type = record.header(EventHeaderName.type)
        self.entries.append(
            Entry(
                offset: record.offset,
                timestamp: record.timestamp,
                digest: digest,
                id: Self.hash(record.header(EventHeaderName.id) ?? ""),
                consumer: consumer,
                isWithoutTurn: type == EventType.timerFired.rawValue
                    || self.topic == .signals && type == EventType.operatorActed.rawValue,
                isEnd: self.topic == .responses && type == EventType.intentResponded.rawValue
                    && Self.isTerminal(record),
                isClaimed: isClaimed
            )
        )
    }

    private static func isTerminal(_ record: LogRecord) -> Bool {
        record.value.flatMap { try? JSONValue(parsing: $0) }?["terminal"] == .bool(true)
    }

    /// The terminal response with that digest; nil when there is none.
    func end(digest: String) -> Int64? {
        Self.digest(digest).flatMap { self.indices[$0]?.last }
            .flatMap { self.entries[$0].isEnd ? self.entries[$0].offset : nil }
    }

    /// Reads a digest in hex; nil for other text.
    static func digest(_ hex: String) -> Digest? {
        guard hex.utf8.count == 64 else { return nil }
        var digest = Digest.zero
        var rest = hex[...]
        for part in 0..<4 {
            guard let bits = UInt64(rest.prefix(16), radix: 16) else { return nil }
            digest[part] = bits
            rest = rest.dropFirst(16)
        }
        return digest
    }

    // MARK: Events

    /// The comparison of a turn's event with the record at its position.
    enum EventCheck {
        /// The same bytes.
        case same
        /// Other bytes.
        case changed
        /// No record.
        case missing
        /// Retention has removed it.
        case cut
    }

    /// Compares the event of a turn, and notes that it was processed.
    mutating func check(eventAt offset: Int64, digest: String) -> EventCheck {
        guard offset >= self.earliest else { return .cut }
        guard let index = self.index(of: offset) else { return .missing }
        self.entries[index].isProcessed = true
        return self.entries[index].digest == Self.digest(digest) ? .same : .changed
    }

    /// Events that no turn of their stage has processed, although the stage has processed a later one.
    func unprocessed(upTo reached: [Stage: Int64]) -> [(offset: Int64, stage: Stage)] {
        self.entries.compactMap { entry in
            guard !entry.isProcessed, let stage = entry.consumer, entry.offset < reached[stage] ?? -1 else {
                return nil
            }
            return (entry.offset, stage)
        }
    }

    func digest(at offset: Int64) -> Digest? { self.index(of: offset).map { self.entries[$0].digest } }

    private func index(of offset: Int64) -> Int? {
        var low = 0
        var high = self.entries.count
        while low < high {
            let middle = (low + high) / 2
            if self.entries[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < self.entries.count && self.entries[low].offset == offset ? low : nil
    }

    // MARK: Outputs

    /// The result of looking for an output.
    enum OutputCheck {
        /// It is there, after the stage's outputs before it.
        case same
        /// It is there, but before an output that was written earlier.
        case outOfOrder(Int64)
        /// A record with its id is there, with other bytes.
        case changed(Int64)
        case missing
        /// It is not there; retention may have removed it.
        case cut
    }

    /// Finds an output that a turn wrote, and marks it as claimed.
    mutating func claim(digest: String, id: String, by stage: Stage) -> OutputCheck {
        if let bits = Self.digest(digest), let found = self.indices[bits]?.first(where: { !self.entries[$0].isClaimed })
        {
            self.entries[found].isClaimed = true
            defer { self.last[stage] = max(self.last[stage] ?? -1, found) }
            return found < self.last[stage] ?? -1 ? .outOfOrder(self.entries[found].offset) : .same
        }
        let candidates = self.indexByID()[Self.hash(id)] ?? []
        if let found = candidates.first(where: { !self.entries[$0].isClaimed }) {
            self.entries[found].isClaimed = true
            return .changed(self.entries[found].offset)
        }
        // A stage writes in the order of its turns: once one of its outputs is still there, all later ones must be.
        return self.earliest > 0 && self.last[stage] == nil ? .cut : .missing
    }

    private mutating func indexByID() -> [UInt64: [Int]] {
        if let known = self.indicesByID { return known }
        let indices = Dictionary(grouping: self.entries.indices) { self.entries[$0].id }
        self.indicesByID = indices
        return indices
    }

    /// Records that no turn wrote, although only turns write such records.
    func unclaimed(since time: Int64) -> [Int64] {
        self.entries.filter { !$0.isClaimed && !$0.isWithoutTurn && $0.timestamp >= time }.map(\.offset)
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
