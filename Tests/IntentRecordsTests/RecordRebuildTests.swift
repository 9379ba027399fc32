import InMemoryLog
import IntentEvents
import IntentKit
import IntentRecords
import IntentRuntime
import Synchronization
import Testing

@Suite("R45: a store is filled from the topics")
struct RecordRebuildTests {
    private static let requests = TopicPartition(Topic.requests.name(prefix: "intents"), 1)

    /// A log with all topics, and five requests in one partition.
    private static func log() async throws -> InMemoryLog {
        let log = InMemoryLog()
        let topics = Topic.allCases.map { TopicDescription(name: $0.name(prefix: "intents"), partitions: 2) }
        _ = try await log.createTopics(topics)
        let producer = try await log.makeProducer()
        _ = try await producer.send(
            (0..<5 as Range<UInt8>)
                .map { OutgoingRecord(topicPartition: Self.requests, key: nil, value: [$0]) }
        )
        await producer.close()
        return log
    }

    @Test("A rebuild reads each partition from its beginning to its current end, and reports its progress")
    func rebuildReadsAllPartitionsToTheirEnds() async throws {
        let store = ObservedStore()
        let steps = Mutex<[Int64]>([])
        let count = try await RecordRebuild(log: try await Self.log(), prefix: "intents", maxRecords: 2)
            .run(into: store) { more, total in
                steps.withLock { $0.append(more) }
                #expect(total == 5)
            }
        #expect(count == 5)
        #expect(store.records.map { $0.value?.first } == [0, 1, 2, 3, 4])
        #expect(steps.withLock(\.self).reduce(0, +) == 5)
    }

    @Test("A beginning that retention has removed is an error, unless leaving it out is accepted")
    func trimmedBeginningIsErrorUnlessAccepted() async throws {
        let log = try await Self.log()
        try log.trim(Self.requests, to: 2)
        let rebuild = RecordRebuild(log: log, prefix: "intents")
        let error = await #expect(throws: RecordingError.self) { try await rebuild.run(into: ObservedStore()) }
        #expect(error?.code == .cutByRetention)
        #expect(error?.description.contains("\(Self.requests) (first offset 2)") == true)
        let early = await #expect(throws: RecordingError.self) {
            try await rebuild.run(into: ObservedStore(), leavingOut: ["requests/1": 1])
        }
        #expect(early?.code == .cutByRetention)
        let store = ObservedStore()
        #expect(try await rebuild.run(into: store, leavingOut: ["requests/1": 2]) == 3)
        #expect(store.records.map(\.offset) == [2, 3, 4])
    }

    @Test("A missing topic is an error, and empty topics are read at once")
    func missingTopicIsError() async throws {
        let log = InMemoryLog()
        let error = await #expect(throws: RecordingError.self) {
            try await RecordRebuild(log: log, prefix: "intents").run(into: ObservedStore())
        }
        #expect(error?.code == .unknownTopic)
        let topics = Topic.allCases.map { TopicDescription(name: $0.name(prefix: "intents"), partitions: 1) }
        _ = try await log.createTopics(topics)
        #expect(try await RecordRebuild(log: log, prefix: "intents").run(into: ObservedStore()) == 0)
    }
}
