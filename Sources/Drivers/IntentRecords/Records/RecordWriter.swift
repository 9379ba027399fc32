internal import GRDB
internal import IntentEvents
internal import IntentKit
package import IntentRuntime

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
        try self.tables.flush()
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
            let position = RowPosition(
                partition: Int64(partition.partition),
                offset: records[index].offset,
                timestamp: records[index].timestamp
            )
            let content = records[index].content
            try content.withParts { parts in
                if content.byteCount <= TopicPlan.maximumRecordBytes {
                    try self.write(content, at: position, parts, kept: content, parts, on: progress.topic)
                } else {
                    let kept = records[index].recorded.content
                    try kept.withParts {
                        try self.write(content, at: position, parts, kept: kept, $0, on: progress.topic)
                    }
                }
            }
        }
        self.partitions[partition] = progress
    }

    private mutating func write(
        _ content: RecordContent,
        at position: RowPosition,
        _ parts: RecordParts,
        kept: RecordContent,
        _ keptParts: RecordParts,
        on topic: Topic
    ) throws {
        self.tables.arguments.begin()
        let arguments = self.tables.arguments
        let scanned = ScannedRecord(content, at: position, parts, kept: keptParts, on: topic, &self.tape, arguments)
        try self.tables.insert(scanned, of: content, at: position, keptParts, kept, on: topic)
        if let (request, row) = scanned.said {
            self.changes[self.index(of: request)].merge(row)
        } else if let request = scanned.turnRequest, case .turn(let turn) = scanned.meaning {
            self.changes[self.index(of: request)].add(turn)
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

extension LogRecord {
    /// The record as the recorder keeps it: complete, unless it is larger than intentd's own topics accept.
    ///
    /// A client may write a larger one by compressing it. Then the recorder keeps what the dead letter holds: the key
    /// if it can be one, the headers that describe the event, the beginning of the value.
    package var recorded: LogRecord {
        // The size of the buffer almost always decides this; it also includes the lengths of the parts.
        guard self.content.byteCount > TopicPlan.maximumRecordBytes else { return self }
        let bytes = self.content.withParts { $0.envelopeCount + ($0.value?.count ?? 0) }
        guard bytes > TopicPlan.maximumRecordBytes else { return self }
        var record = self
        if let key = self.key, key.count > Event.maximumIDBytes { record.key = nil }
        record.headers = OutgoingRecord.kept(of: self.headers)
        record.value = self.value.map { Array($0.prefix(OutgoingRecord.cutValueBytes)) }
        return record
    }
}
