internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Writes one batch into the tables, inside a transaction.
struct RecordWriter {
    /// What a transaction knows of a partition.
    private struct Progress {
        /// The topic.
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
    private var tape = JSONTape()
    private var partitions: [TopicPartition: Progress] = [:]
    private var changes: [RequestPosition: InteractionRow] = [:]

    /// Prepares the statements.
    init(_ database: Database) throws {
        self.tables = try EventTables(database)
        self.interactions = try InteractionTable(database)
        self.offsets = try OffsetTable(database)
    }

    /// Writes the records that were not written before, with the offsets after them.
    ///
    /// - Parameters:
    ///   - records: Each partition's in their order.
    ///   - topics: The topic of each name.
    ///   - epochs: The claim's epoch of each partition.
    /// - Returns: The next offset of each partition in the batch.
    /// - Throws: ``RecordingError`` with `fenced`; `DatabaseError`.
    mutating func write(
        _ records: [LogRecord],
        _ topics: [TopicName: Topic],
        epochs: [TopicPartition: Int64]
    ) throws -> [TopicPartition: Int64] {
        self.changes.reserveCapacity(records.count / 2)
        var rest = records[...]
        // Records of a partition come in stretches.
        while let partition = rest.first?.topicPartition {
            let stretch = rest.prefix { $0.topicPartition == partition }
            rest = rest.dropFirst(stretch.count)
            guard let topic = topics[partition.topic] else { continue }
            try self.write(stretch, partition, topic, epoch: epochs[partition])
        }
        // In their order, so that what stands on one page is written together.
        for request in self.changes.keys.sorted() {
            if let row = self.changes[request] { try self.interactions.merge(row, at: request) }
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
        _ stretch: ArraySlice<LogRecord>,
        _ partition: TopicPartition,
        _ topic: Topic,
        epoch: Int64?
    ) throws {
        var progress: Progress
        if let known = self.partitions[partition] {
            progress = known
        } else {
            let stored = try self.offsets.next(topic, partition.partition, epoch: epoch)
            progress = Progress(topic: topic, before: stored, next: stored, epoch: epoch)
        }
        for record in stretch {
            // Delivered again, or written by an earlier run that could not say so any more.
            if let reached = progress.next, record.offset < reached { continue }
            progress.next = record.offset + 1
            try self.write(record, on: topic)
        }
        self.partitions[partition] = progress
    }

    private mutating func write(_ record: LogRecord, on topic: Topic) throws {
        let kept = record.recorded.content
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
                    self.changes[request, default: InteractionRow()].merge(row)
                } else if let (request, turn) = scanned.turnOfInteraction {
                    self.changes[request, default: InteractionRow()].add(turn)
                }
            }
        }
    }
}
