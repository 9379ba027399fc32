internal import IntentEvents
internal import IntentKit
package import IntentRuntime

/// Reads one partition from an offset to a known end, a batch at a time; joins no group and commits nothing.
///
/// Used by one task at a time. Nothing is read before the first call.
package final class PartitionCursor {
    /// The number of empty polls in a row after which the partition counts as stuck.
    private static let maximumIdlePolls = 60

    private let log: any EventLog
    private let partition: TopicPartition
    private let end: Int64
    private let maxRecords: Int
    /// The topic, if its records have a format.
    private let topic: Topic?
    private var reader: (any LogReader)?
    /// The next offset.
    private(set) var position: Int64

    package init(
        _ log: any EventLog,
        _ partition: TopicPartition,
        from start: Int64,
        to end: Int64,
        maxRecords: Int = 1_000
    ) {
        self.log = log
        self.partition = partition
        self.position = start
        self.end = end
        self.maxRecords = maxRecords
        self.topic = partition.topic.text.split(separator: ".").last.flatMap { Topic(rawValue: String($0)) }
    }

    /// The next records, in order; nil at the end.
    ///
    /// - Throws: ``LogError``, with `unreadableFormat` for a record of a format that this version does not read;
    ///   `AuditError` with `incomplete` when the partition stops short of the end.
    package func next() async throws -> [LogRecord]? {
        var idlePolls = 0
        while self.position < self.end {
            try Task.checkCancellation()
            let reader = try await self.openReader()
            let batch = try await reader.next(maxRecords: self.maxRecords, timeout: .milliseconds(500))
            let reached = batch.positions[self.partition] ?? self.position
            idlePolls = reached > self.position ? 0 : idlePolls + 1
            guard idlePolls < Self.maximumIdlePolls else {
                throw AuditError(
                    .incomplete,
                    "No more records from \(self.partition) after offset \(self.position); expected records up to \(self.end)."
                )
            }
            self.position = max(self.position, reached)
            let isBeyond = batch.records.last.map { $0.offset >= self.end } ?? false
            let records = isBeyond ? batch.records.filter { $0.offset < self.end } : batch.records
            if let topic = self.topic { for record in records { try RecordFormats.current.check(record, on: topic) } }
            if !records.isEmpty { return records }
        }
        await self.close()
        return nil
    }

    func move(to offset: Int64) async {
        await self.close()
        self.position = offset
    }

    package func close() async {
        await self.reader?.close()
        self.reader = nil
    }

    private func openReader() async throws -> any LogReader {
        if let reader = self.reader { return reader }
        let reader = try await self.log.makeReader(from: [self.partition: self.position])
        self.reader = reader
        return reader
    }
}
