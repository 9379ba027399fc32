internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Writes one batch into the tables, inside a transaction.
struct RecordWriter {
    /// The state of a partition in a transaction.
    private struct Progress {
        var topic: Topic
        /// The stored offset when the transaction began.
        var before: Int64?
        /// The next offset to record.
        var next: Int64?
        /// The claim's epoch.
        var epoch: Int64?
    }

    private var tables: EventTables
    private let interactions: InteractionTable
    private let offsets: OffsetTable
    private let prefix: String
    private var tape = JSONTape()
    private var partitions: [TopicPartition: Progress] = [:]
    /// What is known about each interaction, and its index.
    private var changes: [InteractionRow] = []
    private var indices: [RequestPosition: Int] = [:]

    init(_ database: Database, prefix: String) throws {
        self.prefix = prefix
        self.tables = try EventTables(database)
        self.interactions = try InteractionTable(database)
        self.offsets = try OffsetTable(database)
    }

    /// Writes the records that were not written before, and the offsets after them.
    ///
    /// - Parameters:
    ///   - records: The records, each partition's in order.
    ///   - epochs: The claim's epoch of each partition.
    /// - Returns: The next offset of each partition in the batch.
    /// - Throws: `RecordingError` with `fenced` or `unknownTopic`; `DatabaseError`.
    mutating func write(
        _ records: [LogRecord],
        epochs: [TopicPartition: Int64]
    ) throws -> [TopicPartition: Int64] {
        self.changes.reserveCapacity(records.count / 4)
        self.indices.reserveCapacity(records.count / 4)
        var start = 0
        // The records of a partition are mostly adjacent.
        while start < records.count {
            let partition = records[start].topicPartition
            var end = start + 1
            while end < records.count, records[end].topicPartition == partition { end += 1 }
            let range = start..<end
            start = end
            try self.write(records, range, partition, epoch: epochs[partition])
        }
        // In order, so that rows of one page are written together.
        for (request, index) in self.indices.sorted(by: { $0.key < $1.key }) {
            try self.interactions.merge(self.changes[index], at: request)
        }
        for (partition, progress) in self.partitions {
            try self.offsets.move(
                progress.topic,
                partition.partition,
                from: progress.before,
                to: progress.next,
                epoch: progress.epoch
            )
        }
        return self.partitions.compactMapValues(\.next)
    }

    private mutating func write(
        _ records: [LogRecord],
        _ range: Range<Int>,
        _ partition: TopicPartition,
        epoch: Int64?
    ) throws {
        var progress: Progress
        if let known = self.partitions[partition] {
            progress = known
        } else {
            let topic = try RecordDatabase.topic(partition.topic, prefix: self.prefix)
            let stored = try self.offsets.next(topic, partition.partition, epoch: epoch)
            progress = Progress(topic: topic, before: stored, next: stored, epoch: epoch)
        }
        for index in range {
            // Delivered again, or written by an earlier run that could not report it.
            if let reached = progress.next, records[index].offset < reached { continue }
            progress.next = records[index].offset + 1
            try self.write(records[index], on: progress.topic)
        }
        self.partitions[partition] = progress
    }

    private mutating func write(_ record: LogRecord, on topic: Topic) throws {
        let isWhole = record.content.byteCount <= TopicPlan.maximumRecordBytes
        let kept = isWhole ? record.content : record.recorded.content
        self.tables.arguments.begin()
        try record.content.withParts { parts in
            try kept.withParts { keptParts in
                let scanned = ScannedRecord(
                    record,
                    parts,
                    kept: keptParts,
                    on: topic,
                    &self.tape,
                    self.tables.arguments
                )
                try self.tables.insert(scanned, of: record, keptParts, kept, on: topic)
                if let (request, row) = scanned.response {
                    self.changes[self.index(of: request)].merge(row)
                } else if let (request, turn) = scanned.turnOfInteraction {
                    self.changes[self.index(of: request)].add(turn)
                }
            }
        }
    }

    /// The index of an interaction's changes.
    private mutating func index(of request: RequestPosition) -> Int {
        if let known = self.indices[request] { return known }
        self.changes.append(InteractionRow())
        self.indices[request] = self.changes.count - 1
        return self.changes.count - 1
    }
}
