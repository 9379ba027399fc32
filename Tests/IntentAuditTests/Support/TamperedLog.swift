import IntentEvents
import IntentRuntime

/// A log that somebody has changed unnoticed.
struct TamperedLog: EventLog {
    /// A position on a topic.
    struct Position: Hashable {
        var partition: TopicPartition
        var offset: Int64

        init(_ record: LogRecord) {
            self.partition = record.topicPartition
            self.offset = record.offset
        }
    }

    private let log: any EventLog
    /// The changed content at some positions; no record where it is nil.
    private var edits: [Position: LogRecord?] = [:]
    /// The changed ends of partitions.
    private var ends: [TopicPartition: Int64] = [:]
    /// The changed beginnings of partitions.
    private var starts: [TopicPartition: Int64] = [:]

    init(_ log: any EventLog) { self.log = log }

    /// A log with one change.
    func changing(_ record: LogRecord, _ change: (inout LogRecord) -> Void) -> TamperedLog {
        var log = self
        var record = record
        let position = Position(record)
        change(&record)
        log.edits[position] = .some(record)
        return log
    }

    /// A log without a record.
    func removing(_ record: LogRecord) -> TamperedLog {
        var log = self
        log.edits[Position(record)] = .some(nil)
        return log
    }

    /// A log in which two records have swapped places.
    func swapping(_ first: LogRecord, _ second: LogRecord) -> TamperedLog {
        self.changing(first) { record in
            (record.key, record.value, record.headers) = (second.key, second.value, second.headers)
        }
        .changing(second) { record in
            (record.key, record.value, record.headers) = (first.key, first.value, first.headers)
        }
    }

    /// A log that ends earlier.
    func ending(at ends: [TopicPartition: Int64]) -> TamperedLog {
        var log = self
        log.ends = ends
        return log
    }

    /// A log whose beginning retention has removed.
    func beginning(at starts: [TopicPartition: Int64]) -> TamperedLog {
        var log = self
        log.starts = starts
        return log
    }

    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        var offsets = try await self.log.offsets(partitions, at: query)
        for partition in partitions {
            if let end = self.ends[partition] { offsets[partition] = min(offsets[partition] ?? 0, end) }
            if let start = self.starts[partition] { offsets[partition] = max(offsets[partition] ?? 0, start) }
        }
        return offsets
    }

    func makeReader(from offsets: [TopicPartition: Int64]) async throws(LogError) -> any LogReader {
        TamperedReader(reader: try await self.log.makeReader(from: offsets), edits: self.edits)
    }

    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        throw LogError(.configuration, "an audit joins no group")
    }

    func makeProducer() async throws(LogError) -> any LogProducer {
        throw LogError(.configuration, "an audit writes nothing")
    }

    func createTopics(_ topics: [TopicDescription]) async throws(LogError) -> Set<TopicName> {
        throw LogError(.configuration, "an audit makes no topics")
    }

    func topics() async throws(LogError) -> [TopicDescription] { try await self.log.topics() }

    func committedOffsets(
        group: GroupName,
        partitions: [TopicPartition]
    ) async throws(LogError) -> [TopicPartition: Int64] {
        try await self.log.committedOffsets(group: group, partitions: partitions)
    }

    func close() async {}
}

/// Reads the changed content.
private struct TamperedReader: LogReader {
    let reader: any LogReader
    let edits: [TamperedLog.Position: LogRecord?]

    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch {
        var batch = try await self.reader.next(maxRecords: maxRecords, timeout: timeout)
        batch.records = batch.records.compactMap { self.edits[TamperedLog.Position($0)] ?? $0 }
        return batch
    }

    func close() async { await self.reader.close() }
}
