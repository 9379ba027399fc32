import InMemoryLog
import IntentEvents
import IntentLab
import IntentRuntime
import Testing

/// The log in memory fails as it is told to.
struct FaultTests {
    private static let source = TopicPartition("source", 0)
    private static let sink = TopicPartition("sink", 0)

    private static func makeLog(_ configuration: InMemoryLog.Configuration = .init()) async throws -> InMemoryLog {
        let log = InMemoryLog(configuration)
        _ = try await log.createTopics([
            TopicDescription(name: "source", partitions: 1), TopicDescription(name: "sink", partitions: 1),
        ])
        return log
    }

    private static func makeStartedLane(_ log: InMemoryLog, _ name: LaneName = "lane") async throws
        -> any TransactionalLane
    {
        let lane = try await log.makeLane(LaneConfiguration(group: "g", topics: ["source"], name: name))
        for case .assigned(let committed) in try await lane.poll(maxRecords: 1, timeout: .zero) {
            try await lane.start(at: committed)
        }
        return lane
    }

    /// The heir, which polled these events, has the partition of the silent lane, which can't commit any more.
    private static func expectTakeover(from silent: any TransactionalLane, events: [LaneEvent]) async throws {
        guard case .assigned(let committed)? = events.first else {
            Issue.record("nothing was assigned")
            return
        }
        #expect(committed == [Self.source: nil])
        let error = await #expect(throws: LogError.self) { try await silent.commit(Self.batch(1)) }
        #expect(error?.code == .fenced)
    }

    private static func batch(_ value: UInt8) -> LaneCommit {
        LaneCommit(
            records: [OutgoingRecord(topicPartition: Self.sink, key: nil, value: [value])],
            offsets: [Self.source: Int64(value)]
        )
    }

    @Test(arguments: [true, false])
    func successorFindsUnknownOutcome(_ applied: Bool) async throws {
        let log = try await Self.makeLog()
        let lane = try await Self.makeStartedLane(log)
        log.inject(.outcomeUnknown(applied: applied))
        let error = await #expect(throws: LogError.self) { try await lane.commit(Self.batch(1)) }
        #expect(error?.code == .outcomeUnknown)
        let again = await #expect(throws: LogError.self) { _ = try await lane.poll(maxRecords: 1, timeout: .zero) }
        #expect(again?.code == .outcomeUnknown)
        await lane.close()
        let successor = try await log.makeLane(LaneConfiguration(group: "g", topics: ["source"], name: "lane"))
        guard case .assigned(let committed)? = try await successor.poll(maxRecords: 1, timeout: .zero).first else {
            Issue.record("nothing was assigned")
            return
        }
        #expect(committed == [Self.source: applied ? 1 : nil])
        let reader = try await log.makeReader(from: [Self.sink: 0])
        let read = try await reader.next(maxRecords: 10, timeout: .zero)
        #expect(read.records.compactMap(\.value) == (applied ? [[1]] : []))
    }

    @Test func injectedErrorsAreThrown() async throws {
        let log = try await Self.makeLog()
        let lane = try await Self.makeStartedLane(log)
        let producer = try await log.makeProducer()
        log.inject(.commit(LogError(.unavailable, "a test", isRetriable: true)))
        log.inject(.send(LogError(.notAuthorized, "a test")))
        let refused = await #expect(throws: LogError.self) { _ = try await producer.send(Self.batch(1).records) }
        #expect(refused?.code == .notAuthorized)
        #expect(try await producer.send(Self.batch(1).records) == [0])
        let failed = await #expect(throws: LogError.self) { try await lane.commit(Self.batch(2)) }
        #expect(failed?.code == .unavailable)
        #expect(try await log.offsets([Self.sink], at: .end) == [Self.sink: 1])
    }

    @Test func forcedRebalanceRevokesAndReassigns() async throws {
        let log = try await Self.makeLog()
        let lane = try await Self.makeStartedLane(log)
        log.rebalance("g")
        guard case .revoked(let partitions, lost: false)? = try await lane.poll(maxRecords: 1, timeout: .zero).first
        else {
            Issue.record("nothing was revoked")
            return
        }
        #expect(partitions == [Self.source])
        // Until it is released, work that was begun can be committed.
        try await lane.commit(Self.batch(1))
        try await lane.release()
        guard case .assigned(let committed)? = try await lane.poll(maxRecords: 1, timeout: .zero).first else {
            Issue.record("nothing was assigned")
            return
        }
        #expect(committed == [Self.source: 1])
    }

    @Test func expelledAndFencedLanesCannotCommit() async throws {
        let log = try await Self.makeLog()
        let lane = try await Self.makeStartedLane(log)
        log.expel("g")
        let lost = await #expect(throws: LogError.self) { try await lane.commit(Self.batch(1)) }
        #expect(lost?.code == .fenced)
        guard case .revoked([Self.source], lost: true)? = try await lane.poll(maxRecords: 1, timeout: .zero).first
        else {
            Issue.record("nothing was lost")
            return
        }
        log.fence(lane: "lane", of: "g")
        let fenced = await #expect(throws: LogError.self) { _ = try await lane.poll(maxRecords: 1, timeout: .zero) }
        #expect(fenced?.code == .fenced)
        #expect(try await log.offsets([Self.sink], at: .end) == [Self.sink: 0])
    }

    @Test func timePassesOnlyOnTheClock() async throws {
        let clock = ManualClock()
        var configuration = InMemoryLog.Configuration()
        configuration.clock = clock
        configuration.timestamp = { 42 }
        let log = try await Self.makeLog(configuration)
        let lane = try await Self.makeStartedLane(log)
        // One sleeper is the bound of the first rebalance, the other the poll's time-out.
        async let polled = lane.poll(maxRecords: 1, timeout: .seconds(3_600))
        await clock.sleepers(2)
        clock.advance(by: .seconds(3_600))
        #expect(try await polled.isEmpty)
        try await lane.commit(Self.batch(1))
        let reader = try await log.makeReader(from: [Self.sink: 0])
        #expect(try await reader.next(maxRecords: 1, timeout: .zero).records.map(\.timestamp) == [42])
    }

    @Test func expelsSilentLaneAfterSessionTimeout() async throws {
        let clock = ManualClock()
        var configuration = InMemoryLog.Configuration()
        configuration.clock = clock
        let log = try await Self.makeLog(configuration)
        let silent = try await Self.makeStartedLane(log, "silent")
        await clock.sleepers(1)
        let heir = try await log.makeLane(LaneConfiguration(group: "g", topics: ["source"], name: "heir"))
        await clock.sleepers(2)
        #expect(try await heir.poll(maxRecords: 1, timeout: .zero).isEmpty)
        async let assigned = heir.poll(maxRecords: 1, timeout: .seconds(60))
        await clock.sleepers(3)
        clock.advance(by: .seconds(12))
        try await Self.expectTakeover(from: silent, events: assigned)
    }

    @Test("Partitions of an expelled lane go to the others, and it learns that it has lost them")
    func reassignsPartitionsOfExpelledLane() async throws {
        let log = InMemoryLog()
        _ = try await log.createTopics([TopicDescription(name: "source", partitions: 2)])
        let lanes = [try await Self.makeStartedLane(log, "a"), try await Self.makeStartedLane(log, "b")]
        guard case .revoked(_, lost: false)? = try await lanes[0].poll(maxRecords: 1, timeout: .zero).first else {
            Issue.record("the first lane keeps everything")
            return
        }
        try await lanes[0].release()
        for lane in lanes {
            guard case .assigned(let committed)? = try await lane.poll(maxRecords: 1, timeout: .zero).first else {
                Issue.record("a lane gets nothing")
                return
            }
            #expect(committed.count == 1)
            try await lane.start(at: committed)
        }
        log.expel(lanes[0])
        let lost = await #expect(throws: LogError.self) {
            try await lanes[0].commit(LaneCommit(records: [], offsets: [Self.source: 1]))
        }
        #expect(lost?.code == .fenced)
        guard case .revoked(let partitions, lost: true)? = try await lanes[0].poll(maxRecords: 1, timeout: .zero).first
        else {
            Issue.record("nothing was lost")
            return
        }
        #expect(partitions == [Self.source])
    }

    @Test(
        "A lane that is silent when another one leaves is expelled after its session timeout",
        .timeLimit(.minutes(1))
    )
    func expelsSilentLaneAfterAnotherLeaves() async throws {
        let clock = ManualClock()
        var configuration = InMemoryLog.Configuration()
        configuration.clock = clock
        let log = try await Self.makeLog(configuration)
        let silent = try await Self.makeStartedLane(log, "silent")
        let leaving = try await log.makeLane(LaneConfiguration(group: "g", topics: ["source"], name: "leaving"))
        let heir = try await log.makeLane(LaneConfiguration(group: "g", topics: ["source"], name: "heir"))
        await clock.sleepers(3)
        // The time-outs so far belong to earlier rebalances; this one has its own.
        await leaving.close()
        await clock.sleepers(4)
        async let assigned = heir.poll(maxRecords: 1, timeout: .seconds(60))
        await clock.sleepers(5)
        clock.advance(by: .seconds(12))
        try await Self.expectTakeover(from: silent, events: assigned)
    }

    @Test("A reader that passes only transaction markers learns its new position at once", .timeLimit(.minutes(1)))
    func readerPassesTransactionMarkersAtOnce() async throws {
        var configuration = InMemoryLog.Configuration()
        configuration.clock = ManualClock()
        let log = try await Self.makeLog(configuration)
        let lane = try await Self.makeStartedLane(log)
        try await lane.commit(Self.batch(1))
        let end = try #require(try await log.offsets([Self.sink], at: .end)[Self.sink])
        let reader = try await log.makeReader(from: [Self.sink: end - 1])
        let batch = try await reader.next(maxRecords: 10, timeout: .seconds(3_600))
        #expect(batch.records.isEmpty)
        #expect(batch.positions == [Self.sink: end])
    }

    @Test func offsetsHaveGapsAsInKafkaByDefault() async throws {
        for marks in [true, false] {
            var configuration = InMemoryLog.Configuration()
            configuration.marksTransactions = marks
            let log = try await Self.makeLog(configuration)
            let lane = try await Self.makeStartedLane(log)
            try await lane.commit(Self.batch(1))
            try await lane.commit(Self.batch(2))
            #expect(try await log.offsets([Self.sink], at: .end) == [Self.sink: marks ? 4 : 2])
            let reader = try await log.makeReader(from: [Self.sink: 0])
            let batch = try await reader.next(maxRecords: 10, timeout: .zero)
            #expect(batch.records.map(\.offset) == (marks ? [0, 2] : [0, 1]))
            #expect(batch.positions == [Self.sink: marks ? 4 : 2])
        }
    }

    /// A sleep that takes no time races with the wait that it ends.
    @Test("A time-out that expires before the wait has begun ends it", .timeLimit(.minutes(1)))
    func earlyTimeoutEndsWait() async throws {
        var configuration = InMemoryLog.Configuration()
        configuration.clock = ManualClock(sleeps: .advancing)
        let log = try await Self.makeLog(configuration)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await #expect(throws: Never.self) {
                        let reader = try await log.makeReader(from: [Self.source: 0])
                        for _ in 0..<5_000 {
                            #expect(try await reader.next(maxRecords: 1, timeout: .milliseconds(500)).records.isEmpty)
                        }
                        await reader.close()
                    }
                }
            }
        }
    }
}
