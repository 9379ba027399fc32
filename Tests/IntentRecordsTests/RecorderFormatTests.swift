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
        let mark = LogHeader(RecordFormats.header, "3")
        try await log.write([OutgoingRecord(topicPartition: journal, key: nil, value: [], headers: [mark])])
        return log
    }

    @Test("A recorder that meets a newer format leaves, and has recorded nothing of the batch")
    func leavesAtNewerFormat() async throws {
        let store = ObservedStore()
        let recorder = Recorder(
            log: try await Self.log(),
            store: store,
            configuration: .init(prefix: "intents", name: "recorder"),
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
        let error = await #expect(throws: LogError.self) { try await recorder.run() }
        #expect(error?.code == .unreadableFormat)
        #expect(!store.records.contains { $0.header(RecordFormats.header) != nil })
    }

    @Test("A recorder that accepts the loss records it unchanged", .timeLimit(.minutes(1)))
    func recordsNewerFormatIfLossIsAccepted() async throws {
        let store = ObservedStore()
        var configuration = Recorder.Configuration(prefix: "intents", name: "recorder")
        configuration.reading.acceptsLoss = true
        let recorder = Recorder(
            log: try await Self.log(),
            store: store,
            configuration: configuration,
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
        let running = Task { try await recorder.run() }
        await store.reach { $0.header(RecordFormats.header) != nil }
        running.cancel()
        _ = try? await running.value
    }
}
