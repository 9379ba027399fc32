import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import Logging
import Synchronization
import Testing

@testable import IntentRecords
@testable import IntentRuntime

@Suite(.timeLimit(.minutes(1))) struct RecorderTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let log = InMemoryLog()
    private let partitions = 3

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    private func makeTopics() async throws {
        _ = try await self.log.createTopics(
            Topic.allCases.map {
                TopicDescription(name: $0.name(prefix: Traffic.prefix), partitions: self.partitions)
            }
        )
    }

    /// Writes records to the topics; the offsets are the log's own.
    private func produce(_ records: [LogRecord]) async throws {
        let producer = try await self.log.makeProducer()
        _ = try await producer.send(
            records.map {
                OutgoingRecord(
                    topicPartition: $0.topicPartition,
                    timestamp: $0.timestamp,
                    key: $0.key,
                    value: $0.value,
                    headers: $0.headers
                )
            }
        )
        await producer.close()
    }

    private func recorder(
        _ store: any RecordStore,
        on log: (any EventLog)? = nil,
        acceptsLoss: Bool = false
    ) -> Recorder {
        var configuration = Recorder.Configuration(prefix: Traffic.prefix, name: "recorder")
        configuration.maxRecords = 40
        configuration.reading.acceptsLoss = acceptsLoss
        configuration.firstRetryDelay = .milliseconds(1)
        configuration.longestRetryDelay = .milliseconds(5)
        return Recorder(
            log: log ?? self.log,
            store: store,
            configuration: configuration,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func open() async throws -> RecordDatabase {
        try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
    }

    @Test func rebuildEqualsRecordersFile() async throws {
        try await self.makeTopics()
        let records = Traffic(seed: 11, interactions: 40, partitions: self.partitions).interleaved(seed: 1)
        let database = try await self.open()
        let store = ObservedStore(database)
        let recorder = self.recorder(store)
        let running = Task { try await recorder.run() }
        // While it runs, so that it meets different ends of the topics.
        for start in stride(from: 0, to: records.count, by: 100) {
            try await self.produce(Array(records[start..<min(start + 100, records.count)]))
        }
        await store.reach(records.count)
        running.cancel()
        try await running.value
        await database.close()

        let copy = self.directory.file("rebuilt.sqlite")
        let count = try await RecordDatabase.rebuild(at: copy, from: self.log, prefix: Traffic.prefix)
        #expect(count == records.count)
        let expected = try await RecordTables.contents(of: self.path)
        #expect(expected["events"]?.count == records.count)
        #expect(try await RecordTables.contents(of: copy) == expected)
    }

    @Test func interruptionsLoseAndRepeatNothing() async throws {
        try await self.makeTopics()
        let records = Traffic(seed: 12, interactions: 40, partitions: self.partitions).interleaved(seed: 2)
        try await self.produce(records)
        self.log.inject(.outcomeUnknown(applied: false))
        self.log.inject(.outcomeUnknown(applied: true))
        self.log.inject(.commit(LogError(.unavailable, "injected", isRetriable: true)))
        let database = try await self.open()
        let store = ObservedStore(
            database,
            failures: [RecordingError(.fenced, "injected"), RecordingError(.unavailable, "injected")]
        )
        let recorder = self.recorder(store)
        let running = Task { try await recorder.run() }
        await store.reach(100)
        self.log.rebalance("intents.record")
        await store.reach(200)
        self.log.expel("intents.record")
        await store.reach(300)
        // Another recorder claims everything: this one is fenced, and claims again.
        _ = try await database.claim(Set(records.map(\.topicPartition)).sorted())
        await store.reach(records.count)
        running.cancel()
        try await running.value
        await database.close()
        let copy = self.directory.file("rebuilt.sqlite")
        _ = try await RecordDatabase.rebuild(at: copy, from: self.log, prefix: Traffic.prefix)
        #expect(try await RecordTables.contents(of: copy) == RecordTables.contents(of: self.path))
    }

    @Test func commitsOffsetsForDisplay() async throws {
        try await self.makeTopics()
        let partition = TopicPartition("intents.requests", 1)
        try await self.produce(
            (0..<3)
                .map {
                    LogRecord(topicPartition: partition, offset: $0, timestamp: 1, key: nil, value: nil, headers: [])
                }
        )
        let store = ObservedStore(try await self.open())
        let recorder = self.recorder(store)
        let running = Task { try await recorder.run() }
        await store.reach(3)
        running.cancel()
        try await running.value
        let committed = try await self.log.committedOffsets(group: "intents.record", partitions: [partition])
        #expect(committed == [partition: 3])
    }

    @Test func newRecorderCommitsOffsetsOfItsPredecessor() async throws {
        try await self.makeTopics()
        let topicPartitions = [TopicPartition("intents.requests", 1), TopicPartition("intents.requests", 2)]
        let database = try await self.open()
        for (topicPartition, count) in [(topicPartitions[0], 3), (topicPartitions[1], 1)] {
            try await self.produce(
                (0..<count)
                    .map {
                        LogRecord(
                            topicPartition: topicPartition,
                            offset: Int64($0),
                            timestamp: 1,
                            key: nil,
                            value: nil,
                            headers: []
                        )
                    }
            )
            let store = ObservedStore(database)
            let recorder = self.recorder(store)
            let running = Task { try await recorder.run() }
            await store.reach(count)
            running.cancel()
            try await running.value
            if topicPartition == topicPartitions[0] { try self.log.forgetOffsets(of: "intents.record") }
        }
        let committed = try await self.log.committedOffsets(group: "intents.record", partitions: topicPartitions)
        #expect(committed == [topicPartitions[0]: 3, topicPartitions[1]: 1])
    }

    @Test func fileAheadOfTopicsStopsRecorder() async throws {
        try await self.makeTopics()
        let database = try await self.open()
        try await RecordTables.write(Traffic(seed: 13, interactions: 4).records, to: database)
        let recorder = self.recorder(database)
        let error = await #expect(throws: LogError.self) { try await recorder.run() }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("belong to other topics") == true)
    }

    @Test func unrecordedTrimmedEventsStopRecorderUnlessAccepted() async throws {
        try await self.makeTopics()
        let topicPartition = TopicPartition("intents.requests", 1)
        let records = (0..<8)
            .map {
                LogRecord(topicPartition: topicPartition, offset: $0, timestamp: 1, key: nil, value: nil, headers: [])
            }
        try await self.produce(Array(records.prefix(3)))
        let store = ObservedStore(try await self.open())
        let running = Task { [recorder = self.recorder(store)] in try await recorder.run() }
        await store.reach(3)
        running.cancel()
        try await running.value
        try await self.produce(Array(records.dropFirst(3)))
        try self.log.trim(topicPartition, to: 5)
        let error = await #expect(throws: LogError.self) { try await self.recorder(store).run() }
        #expect(error?.code == .eventsLost)
        #expect(error?.message.contains("intents.requests[1] was read up to 3 and now begins at 5") == true)
        let accepting = Task { [recorder = self.recorder(store, acceptsLoss: true)] in try await recorder.run() }
        await store.reach(6)
        accepting.cancel()
        try await accepting.value
    }

    @Test func trimmedMarkersAreNoLoss() async throws {
        try await self.makeTopics()
        let topicPartition = TopicPartition("intents.requests", 1)
        func record(_ count: Int, with store: ObservedStore) async throws {
            let recorder = self.recorder(store)
            let running = Task { try await recorder.run() }
            await store.reach(count)
            running.cancel()
            try await running.value
        }
        let records = (0..<3)
            .map {
                LogRecord(topicPartition: topicPartition, offset: $0, timestamp: 1, key: nil, value: nil, headers: [])
            }
        try await self.produce(records)
        try self.log.beginTransaction([OutgoingRecord(topicPartition: topicPartition, key: [], value: [0])]).abort()
        let database = try await self.open()
        try await record(3, with: ObservedStore(database))
        let end = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
        #expect(end == 5)
        #expect(try await database.claim([topicPartition]).starts == [topicPartition: 3])
        #expect(try await database.claim([topicPartition]).passed == [topicPartition: 5])
        try self.log.trim(topicPartition, to: end)
        try await self.produce(records)
        try await record(3, with: ObservedStore(database))
        // A record that was removed before it was read is a loss all the same.
        try await self.produce(records)
        try self.log.trim(topicPartition, to: 9)
        let error = await #expect(throws: LogError.self) { try await self.recorder(database).run() }
        #expect(error?.code == .eventsLost)
    }

    @Test("A recorder that is stopped while it waits for records ends at once")
    func cancellationEndsWaitForRecords() async throws {
        try await self.makeTopics()
        let (polls, begun) = AsyncStream.makeStream(of: Duration.self)
        let wakes = Mutex(0)
        let log = ObservedLog(self.log) {
            begun.yield($0)
        } onWake: {
            wakes.withLock { $0 += 1 }
        }
        let recorder = self.recorder(try await self.open(), on: log)
        let running = Task { try await recorder.run() }
        // Before that it has waited for less, to report where it begins.
        for await timeout in polls where timeout == .seconds(1) { break }
        #expect(wakes.withLock(\.self) == 0)
        running.cancel()
        try await running.value
        #expect(wakes.withLock(\.self) == 1)
    }

    @Test("The records behind a full batch are read while it is stored, and are stored in any case when it stops")
    func readsAheadOfFullBatch() async throws {
        try await self.makeTopics()
        let topicPartition = TopicPartition("intents.requests", 1)
        try await self.produce(
            (0..<100)
                .map {
                    LogRecord(
                        topicPartition: topicPartition,
                        offset: $0,
                        timestamp: 1,
                        key: nil,
                        value: nil,
                        headers: []
                    )
                }
        )
        let (polls, polled) = AsyncStream.makeStream(of: Duration.self)
        let log = ObservedLog(self.log, onPoll: { polled.yield($0) })
        let (aheads, ahead) = AsyncStream.makeStream(of: Void.self)
        let batches = Atomic(0)
        let store = ObservedStore(
            try await self.open(),
            onRecord: {
                guard batches.add(1, ordering: .relaxed).oldValue == 0 else { return }
                // It does not wait for records. Without it this waits until the time limit.
                for await timeout in polls where timeout == .zero { break }
                ahead.yield()
            }
        )
        let running = Task { [recorder = self.recorder(store, on: log)] in try await recorder.run() }
        for await _ in aheads { break }
        running.cancel()
        try await running.value
        #expect(store.records.map(\.offset) == Array(0..<100))
    }

    @Test func rebuildDoesNotOverwrite() async throws {
        try await self.makeTopics()
        await (try self.open()).close()
        let error = await #expect(throws: StoreError.self) {
            _ = try await RecordDatabase.rebuild(at: self.path, from: self.log, prefix: Traffic.prefix)
        }
        #expect(error?.code == .file)
    }

    @Test func rebuildOfTrimmedTopicsIsAnError() async throws {
        try await self.makeTopics()
        let log = CutLog(log: self.log)
        let error = await #expect(throws: RecordingError.self) {
            _ = try await RecordDatabase.rebuild(at: self.path, from: log, prefix: Traffic.prefix)
        }
        #expect(error?.code == .cutByRetention)
        // No partial file is left that would make a second attempt fail.
        #expect(try await RecordDatabase.rebuild(at: self.path, from: self.log, prefix: Traffic.prefix) == 0)
    }

    @Test func rebuildUnderWrongPrefixIsAnError() async throws {
        try await self.makeTopics()
        let error = await #expect(throws: RecordingError.self) {
            _ = try await RecordDatabase.rebuild(at: self.path, from: self.log, prefix: "intent")
        }
        #expect(error?.code == .unknownTopic)
    }
}
