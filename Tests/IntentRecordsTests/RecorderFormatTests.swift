import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Logging
import Testing

@Suite("A recorder and the formats of records")
struct RecorderFormatTests {
    /// A log with a record in the next format.
    private static func log() async throws -> InMemoryLog {
        let log = InMemoryLog()
        _ = try await Deployment.create(TopicPlan(prefix: "intents", partitions: 1), on: log)
        let journal = TopicPartition(Topic.journal.name(prefix: "intents"), 0)
        let mark = LogHeader(RecordFormats.header, "2")
        try await log.write([OutgoingRecord(topicPartition: journal, key: nil, value: [], headers: [mark])])
        return log
    }

    @Test("A recorder that meets a newer format leaves, and has recorded nothing of the batch")
    func leavesAtNewerFormat() async throws {
        let recorder = Recorder(
            log: try await Self.log(),
            store: CountingStore(),
            configuration: .init(prefix: "intents", name: "recorder"),
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
        let error = await #expect(throws: LogError.self) { try await recorder.run() }
        #expect(error?.code == .unreadableFormat)
    }

    @Test("A recorder that accepts the loss records it unchanged", .timeLimit(.minutes(1)))
    func recordsNewerFormatIfLossIsAccepted() async throws {
        let (marked, continuation) = AsyncStream<Int>.makeStream()
        var configuration = Recorder.Configuration(prefix: "intents", name: "recorder")
        configuration.reading.acceptsLoss = true
        let recorder = Recorder(
            log: try await Self.log(),
            store: CountingStore(marked: continuation),
            configuration: configuration,
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
        let running = Task { try await recorder.run() }
        let count = await marked.first { $0 > 0 }
        #expect(count != nil)
        running.cancel()
        _ = try? await running.value
    }
}

/// Accepts every record with a known format; others where somebody is told of their number.
private struct CountingStore: RecordStore {
    var marked: AsyncStream<Int>.Continuation?

    func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim {
        RecordClaim(
            epochs: Dictionary(uniqueKeysWithValues: partitions.map { ($0, 1) }),
            starts: Dictionary(uniqueKeysWithValues: partitions.map { ($0, nil) })
        )
    }

    func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64] {
        let count = records.count { $0.header(RecordFormats.header) != nil }
        if let marked { marked.yield(count) } else if count > 0 { Issue.record("it was recorded") }
        return [:]
    }

    func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError) {}
}
