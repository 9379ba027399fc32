internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Writes one batch into the tables, inside a transaction.
struct RecordWriter {
    private let database: Database
    private let tables: EventTables
    private let interactions: InteractionTable
    private let offsets: OffsetTable

    /// Prepares the statements.
    init(_ database: Database) throws {
        self.database = database
        self.tables = try EventTables(database)
        self.interactions = try InteractionTable(database)
        self.offsets = try OffsetTable(database)
    }

    /// Writes the records that were not written before, with the offsets after them.
    ///
    /// - Parameters:
    ///   - records: Each partition's in their order.
    ///   - epochs: The claim's epoch of each partition.
    /// - Returns: The next offset of each partition in the batch.
    /// - Throws: ``RecordingError`` with `fenced`; `DatabaseError`.
    func write(
        _ records: [DecodedRecord],
        epochs: [TopicPartition: Int64]
    ) throws -> [TopicPartition: Int64] {
        var stored: [TopicPartition: Int64?] = [:]
        var next: [TopicPartition: Int64] = [:]
        var changes: [RequestPosition: InteractionRow] = [:]
        for record in records {
            let partition = record.record.topicPartition
            if stored[partition] == nil {
                let offset = try self.offsets.next(record.topic, partition.partition, epoch: epochs[partition])
                stored[partition] = .some(offset)
                next[partition] = offset
            }
            // Delivered again, or written by an earlier run that could not say so any more.
            if let reached = next[partition], record.record.offset < reached { continue }
            next[partition] = record.record.offset + 1
            try self.tables.insert(record)
            if let (request, row) = record.interaction { changes[request, default: InteractionRow()].merge(row) }
        }
        for (request, row) in changes { try self.interactions.merge(row, at: request) }
        for record in records {
            // The first record of each partition stands for it; the topic's short name is at hand there.
            let partition = record.record.topicPartition
            guard let before = stored.removeValue(forKey: partition) else { continue }
            try self.offsets.move(
                record.topic,
                partition.partition,
                from: before,
                to: next[partition],
                epoch: epochs[partition]
            )
        }
        return next
    }
}
