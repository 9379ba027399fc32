internal import IntentEvents
internal import IntentRuntime

/// The events of one partition of an input topic, in the order in which its turns need them, and never all in memory.
///
/// The turns need them nearly in log order, so a window of the last events moves along with the turns: up to the furthest
/// one that a turn has asked for. Some turns come long after their event, because the event was parked or had to wait.
/// An event that has left the window is then read again on its own. Used by one task at a time.
final class EventWindow {
    /// The distance to the next event from which on the records before it are skipped instead of read.
    private static let gap: Int64 = 5_000

    private let log: any EventLog
    private let topic: Topic
    private let partition: TopicPartition
    /// The first offset that the topic still holds.
    let earliest: Int64
    private let end: Int64
    private let maxBytes: Int
    private var cursor: PartitionCursor?
    /// What was read beyond the window: it pushes no older event out before a turn asks for it.
    private var ahead: ArraySlice<LogRecord> = []
    private var records: [Int64: LogRecord] = [:]
    private var order: ArraySlice<Int64> = []
    private var bytes = 0
    /// Events that were read and that no turn has asked for, with the stage that should have asked.
    private(set) var untaken: [Int64: Stage] = [:]
    /// The highest offset that turns have asked for, by stage.
    private(set) var reached: [Stage: Int64] = [:]

    init(
        _ log: any EventLog,
        _ topic: Topic,
        _ partition: TopicPartition,
        range: Range<Int64>,
        maxBytes: Int = 8 * 1024 * 1024
    ) {
        self.log = log
        self.topic = topic
        self.partition = partition
        self.earliest = range.lowerBound
        self.end = range.upperBound
        self.maxBytes = maxBytes
    }

    /// The event at an offset, for a turn of that stage; nil when the topic does not have the record.
    func event(at offset: Int64, for stage: Stage) async throws -> StoredRecord? {
        self.reached[stage] = max(self.reached[stage] ?? 0, offset)
        let record = try await self.record(at: offset)
        self.untaken[offset] = nil
        return record.map { StoredRecord($0, topic: self.topic) }
    }

    func close() async { await self.cursor?.close() }

    private func record(at offset: Int64) async throws -> LogRecord? {
        if let record = self.records[offset] { return record }
        guard offset >= self.earliest, offset < self.end else { return nil }
        let cursor = self.cursor ?? PartitionCursor(self.log, self.partition, from: offset, to: self.end)
        self.cursor = cursor
        guard offset >= self.ahead.first?.offset ?? cursor.position else { return try await self.fetch(offset) }
        self.advance(to: offset)
        if offset - cursor.position > Self.gap { await cursor.move(to: offset) }
        while cursor.position <= offset, let records = try await cursor.next() {
            self.ahead = records[...]
            self.advance(to: offset)
        }
        return self.records[offset]
    }

    /// Takes what was read into the window, up to an offset; the record there, if there is one, is the last to come in.
    private func advance(to offset: Int64) {
        while let record = self.ahead.first, record.offset <= offset {
            self.ahead.removeFirst()
            self.keep(record)
        }
    }

    private func keep(_ record: LogRecord) {
        self.records[record.offset] = record
        self.order.append(record.offset)
        self.untaken[record.offset] = self.consumer(of: record)
        self.bytes += Self.size(record)
        while self.bytes > self.maxBytes, self.order.count > 1, let first = self.order.popFirst() {
            if let old = self.records.removeValue(forKey: first) { self.bytes -= Self.size(old) }
        }
    }

    /// Reads one record on its own.
    private func fetch(_ offset: Int64) async throws -> LogRecord? {
        let cursor = PartitionCursor(self.log, self.partition, from: offset, to: offset + 1, maxRecords: 1)
        let record = try await cursor.next()?.first
        await cursor.close()
        return record
    }

    /// The stage that reads the record: each input topic has one, and each record on `signals` names its own.
    private func consumer(of record: LogRecord) -> Stage? {
        if self.topic == .signals { return record.header(EventHeaderName.stage).flatMap(Stage.init(rawValue:)) }
        return Stage.allCases.first { $0.inputTopic == self.topic }
    }

    private static func size(_ record: LogRecord) -> Int {
        200 + record.content.withBytes { $0.count }
    }
}
