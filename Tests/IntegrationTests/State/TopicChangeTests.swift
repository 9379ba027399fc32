import InMemoryLog
import IntentEvents
import IntentRuntime
import IntentLab
import Logging
import Synchronization
import Testing

/// What a worker does when its topics have changed since its group left: nothing is lost or repeated silently.
@Suite("Topics that change under a worker", .timeLimit(.minutes(1)))
struct TopicChangeTests {
    private let worker: ReturningWorker
    private var log: InMemoryLog { self.worker.log }
    private var lines: LogLines { self.worker.lines }

    init() throws { self.worker = try ReturningWorker() }

    /// Works until that many interactions wait for their answers.
    private func work(_ deployment: Deployment, _ count: Int, reading: ReadingOptions = .brief) async throws {
        let responses = try await self.worker.reading()
        try await self.worker.work(deployment, reading: reading) { _ = try await responses.next(count) }
    }

    @Test("Requests that retention removed before they were read end the worker, unless that is accepted")
    func unreadTrimmedRequestsEndWorker() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.worker.request(30)
        try await self.work(deployment, 30)
        try await self.worker.request(30, from: 30)
        let topicPartition = TopicPartition(ReturningWorker.requests, 1)
        let end = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
        try self.log.trim(topicPartition, to: end - 1)
        let written = try await self.worker.count(.journal)
        let error = try await self.worker.leave(deployment, reading: .brief)
        #expect(error?.code == .eventsLost)
        #expect(error?.message.contains("\(topicPartition) was read up to") == true, "\(String(describing: error))")
        #expect(try await self.worker.count(.journal) == written, "Nothing is worked on before that is decided.")

        var accepting = ReadingOptions()
        accepting.acceptsLoss = true
        try await self.worker.request(3, from: 60)
        try await self.work(deployment, 60 + 3 - Int(end) / 2, reading: accepting)
        #expect(self.lines.all.contains { $0.level == .error && $0.message.hasPrefix("Skipping lost events") })
    }

    /// Aborts a client's transaction on a partition: its offsets contain nothing for readers.
    private func leaveGap(_ topicPartition: TopicPartition) throws {
        try self.log.beginTransaction([OutgoingRecord(topicPartition: topicPartition, key: [], value: [0])]).abort()
    }

    @Test("Retention that takes what was read, and markers and aborted records behind it, is no loss")
    func trimmedReadRequestsAreNoLoss() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.worker.request(30)
        let topicPartition = TopicPartition(ReturningWorker.requests, 1)
        try self.leaveGap(topicPartition)
        try await self.work(deployment, 30)
        let end = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
        #expect(
            try await self.log.committedOffsets(group: ReturningWorker.group, partitions: [topicPartition]) == [
                topicPartition: end
            ]
        )
        try self.log.trim(topicPartition, to: end)
        try await self.worker.request(3, from: 30)
        try await self.work(deployment, 33)
        #expect(!self.lines.all.contains { $0.level >= .warning })
    }

    @Test("A worker that idles counts markers and aborted records after a minute, for it may be killed")
    func idleWorkerCommitsPastMarkers() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.worker.request(30)
        let topicPartition = TopicPartition(ReturningWorker.requests, 1)
        let clock = ShiftedClock()
        let responses = try await self.worker.reading()
        let (commits, committed) = AsyncStream.makeStream(of: Int64?.self)
        let isIdle = Atomic(false)
        let log = ObservedLog(self.log) { _ in
            if isIdle.load(ordering: .relaxed) { clock.advance(by: .seconds(30)) }
        } onCommit: {
            committed.yield($0.offsets[topicPartition])
        }
        try await self.worker.work(deployment, on: log, clock: clock) {
            _ = try await responses.next(30)
            try self.leaveGap(topicPartition)
            let end = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
            isIdle.store(true, ordering: .relaxed)
            for await offset in commits where offset == end { break }
        }
    }

    @Test("A topic that was re-created ends the worker, whether or not the broker has kept its offsets")
    func recreatedTopicEndsWorker() async throws {
        for keepsOffsets in [true, false] {
            let deployment = try await self.worker.makeTopics()
            try await self.worker.request(30)
            // Signals are no stage's input: the offsets read of them do not represent requests.
            let producer = try await self.log.makeProducer()
            let signals = Topic.signals.name(prefix: "intents")
            _ = try await producer.send(
                (0..<ReturningWorker.partitions)
                    .map { number in
                        OutgoingRecord(
                            topicPartition: TopicPartition(signals, number),
                            key: Array("u".utf8),
                            value: Array("{}".utf8),
                            headers: [LogHeader(EventHeaderName.stage, "handle")]
                        )
                    }
            )
            try await self.work(deployment, 30)
            try self.log.deleteTopic(ReturningWorker.requests, keepingOffsets: keepsOffsets)
            _ = try await self.log.createTopics(TopicPlan(partitions: ReturningWorker.partitions).topics())
            try await self.worker.request(3)
            let written = try await self.worker.count(.journal)
            let error = try await self.worker.leave(deployment, reading: .brief)
            #expect(error?.code == (keepsOffsets ? .topicsChanged : .offsetsLost))
            #expect(error?.message.contains("the topic was re-created") == true)
            #expect(try await self.worker.count(.journal) == written)
            for topic in Topic.allCases { try self.log.deleteTopic(topic.name(prefix: "intents")) }
        }
    }

    @Test("Topics that were gone for a moment and are others now end the worker")
    func deletedAndRecreatedTopicsEndWorker() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.worker.request(30)
        let worker = try self.worker.make(deployment)
        let running = Task { try await worker.run() }
        _ = try await self.worker.reading().next(30)
        for topic in Topic.allCases { try self.log.deleteTopic(topic.name(prefix: "intents")) }
        // It has noticed that they are missing, and tries again.
        _ = try await self.lines.next(.warning, "Restarting lane")
        _ = try await self.worker.makeTopics()
        let error = await #expect(throws: LogError.self) { try await running.value }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("re-created while this worker ran") == true)
    }

    @Test("Topics that are re-created while a worker runs end it", .timeLimit(.minutes(1)))
    func topicsRecreatedWhileRunningEndWorker() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.worker.request(30)
        let worker = try self.worker.make(deployment)
        let running = Task { try await worker.run() }
        _ = try await self.worker.reading().next(30)
        for topic in Topic.allCases { try self.log.deleteTopic(topic.name(prefix: "intents")) }
        _ = try await self.worker.makeTopics()
        let error = await #expect(throws: LogError.self) { try await running.value }
        // Found by the deployment's id, or by the group's offsets, whichever the lane checks first.
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("re-created") == true)
    }

    @Test("A topic that is gone for good ends the worker")
    func deletedTopicEndsWorker() async throws {
        let deployment = try await self.worker.makeTopics()
        var reading = ReadingOptions()
        reading.topicMissingTimeout = .milliseconds(50)
        let worker = try self.worker.make(deployment, reading: reading)
        let running = Task { try await worker.run() }
        _ = try await self.lines.next(.info, "Partitions assigned")
        try self.log.deleteTopic(ReturningWorker.requests)
        let error = await #expect(throws: LogError.self) { try await running.value }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("Topics are missing: \(ReturningWorker.requests)") == true)
    }

    @Test("A partition count that grows while workers run ends them instead of making them loop")
    func addedPartitionsEndWorkers() async throws {
        let deployment = try await self.worker.makeTopics()
        let worker = try self.worker.make(deployment)
        let running = Task { try await worker.run() }
        _ = try await self.lines.next(.info, "Partitions assigned")
        try self.log.setPartitions(of: ReturningWorker.requests, to: ReturningWorker.partitions + 2)
        let error = await #expect(throws: LogError.self) { try await running.value }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("there is now a partition \(ReturningWorker.requests)[3]") == true)
    }

    @Test("A group that comes after retention says from where on it reads")
    func groupStartedAfterRetentionReportsItsStart() async throws {
        let deployment = try await self.worker.makeTopics()
        try await self.worker.request(30)
        let topicPartition = TopicPartition(ReturningWorker.requests, 2)
        let end = try #require(try await self.log.offsets([topicPartition], at: .end)[topicPartition])
        try self.log.trim(topicPartition, to: end)
        try await self.work(deployment, 30 - Int(end))
        let line = try await self.lines.next(.warning, "The topic does not begin at offset 0")
        #expect(line.metadata["log.partition"] == "\(topicPartition)")
        #expect(line.metadata["messaging.kafka.offset"] == "\(end)")
    }
}

extension ReadingOptions {
    /// What brokers tell of topics is believed at once.
    fileprivate static var brief: ReadingOptions {
        var reading = ReadingOptions()
        reading.topicMissingTimeout = .zero
        return reading
    }
}

extension TopicChangeTests {
    private static var impatient: ReadingOptions {
        var limits = ReadingWatch.Limits()
        limits.interval = .milliseconds(20)
        limits.stalled = .milliseconds(100)
        limits.openTransaction = .milliseconds(50)
        var reading = ReadingOptions()
        reading.limits = limits
        return reading
    }

    @Test("A stalled lane logs its position as an error, and logs when it continues")
    func stalledLaneReportsItsPosition() async throws {
        let deployment = try await self.worker.makeTopics()
        let topicPartition = TopicPartition(ReturningWorker.requests, 1)
        let log = StuckLog(self.log, topicPartition)
        try await self.worker.work(deployment, on: log, reading: Self.impatient) {
            try await self.worker.request(30)
            let line = try await self.lines.next(.error, "Consumer is stalled")
            #expect(line.metadata["log.partition"] == "\(topicPartition)")
            #expect(line.metadata["messaging.kafka.offset"] == "0")
            #expect(line.metadata["count"] == "1")
            log.release()
            _ = try await self.lines.next(.notice, "Consumer continues")
        }
        let stalls = self.lines.all.filter { $0.message.hasPrefix("Consumer is stalled") }
        #expect(stalls.allSatisfy { $0.metadata["log.partition"] == "\(topicPartition)" })
    }

    @Test("An open transaction is logged with its position, its age and its first record")
    func reportsOpenTransactionThatBlocksReaders() async throws {
        let deployment = try await self.worker.makeTopics()
        let topicPartition = TopicPartition(ReturningWorker.requests, 1)
        let open = try self.log.beginTransaction([
            OutgoingRecord(
                topicPartition: topicPartition,
                timestamp: SystemRuntimeClock().now.milliseconds - 60_000,
                key: Array("mallory".utf8),
                value: nil,
                headers: [LogHeader(EventHeaderName.source, "/a\nb")]
            )
        ])
        let responses = try await self.worker.reading()
        try await self.worker.work(deployment, reading: Self.impatient) {
            try await self.worker.request(30)
            let line = try await self.lines.next(.warning, "An open transaction blocks readers")
            #expect(line.metadata["log.partition"] == "\(topicPartition)")
            #expect(line.metadata["messaging.kafka.offset"] == "0")
            #expect(line.metadata["record.key"] == "mallory")
            #expect(line.metadata["record.source"] == "/a b")
            #expect((60..<120).contains(Int(line.metadata["seconds"] ?? "") ?? 0))
            try open.abort()
            _ = try await responses.next(30)
        }
        #expect(!self.lines.all.contains { $0.message.hasPrefix("Consumer is stalled") })
    }
}

/// A log that returns nothing of one partition, as when its records cannot be decoded.
private final class StuckLog: ForwardingLog {
    let log: InMemoryLog
    private let topicPartition: TopicPartition
    private let isStuck = Mutex(true)

    init(_ log: InMemoryLog, _ topicPartition: TopicPartition) {
        self.log = log
        self.topicPartition = topicPartition
    }

    /// Whether the partition returns records.
    fileprivate var gives: Bool { !self.isStuck.withLock { $0 } }

    /// Returns the partition's records from now on.
    func release() { self.isStuck.withLock { $0 = false } }

    func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
        StuckLane(lane: try await self.log.makeLane(configuration), log: self, topicPartition: self.topicPartition)
    }
}

/// A lane that holds one partition's records back until they are released.
private actor StuckLane: ForwardingLane {
    nonisolated let lane: any TransactionalLane
    private let log: StuckLog
    private let topicPartition: TopicPartition
    private var held: [LogRecord] = []

    init(lane: any TransactionalLane, log: StuckLog, topicPartition: TopicPartition) {
        self.lane = lane
        self.log = log
        self.topicPartition = topicPartition
    }

    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
        var events: [LaneEvent] = []
        for event in try await self.lane.poll(maxRecords: maxRecords, timeout: min(timeout, .milliseconds(20))) {
            guard case .records(let records) = event else {
                events.append(event)
                continue
            }
            self.held += records.filter { $0.topicPartition == self.topicPartition }
            let given = records.filter { $0.topicPartition != self.topicPartition }
            if !given.isEmpty { events.append(.records(given)) }
        }
        if self.log.gives, !self.held.isEmpty {
            events.append(.records(self.held))
            self.held = []
        }
        return events
    }

    func positions() async -> [TopicPartition: Int64] {
        var positions = await self.lane.positions()
        if let first = self.held.first { positions[self.topicPartition] = first.offset }
        return positions
    }
}
