import IntentEvents
import IntentRuntime
import IntentLab
import KafkaLog
import Testing

/// What happens while no broker answers.
struct OutageTests {
    private static func topicPartition(_ topic: TopicName) -> TopicPartition { TopicPartition(topic, 0) }

    @Test func namesUnreachableBrokerWithinTimeout() async throws {
        var configuration = TestBroker.configuration("127.0.0.1:1")
        configuration.requestTimeout = .milliseconds(500)
        let log = KafkaLog(configuration)
        let begin = ContinuousClock.now
        await Self.expectUnavailable("lane") {
            _ = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
        }
        await Self.expectUnavailable("consumer") {
            var lane = LaneConfiguration(group: "g", topics: ["t"], name: "l")
            lane.delivery = .consumeOnly
            _ = try await log.makeLane(lane)
        }
        await Self.expectUnavailable("reader") { _ = try await log.makeReader(from: [Self.topicPartition("t"): 0]) }
        await Self.expectUnavailable("producer") { _ = try await log.makeProducer() }
        await Self.expectUnavailable("topics") { _ = try await log.topics() }
        await Self.expectUnavailable("making topics") {
            _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
        }
        await Self.expectUnavailable("offsets") { _ = try await log.offsets([Self.topicPartition("t")], at: .end) }
        await Self.expectUnavailable("committed offsets") {
            _ = try await log.committedOffsets(group: "g", partitions: [Self.topicPartition("t")])
        }
        await Self.expectUnavailable("members") { _ = try await log.members(of: "g") }
        await log.close()
        #expect(begin.duration(to: .now) < .seconds(20))
    }

    private static func expectUnavailable(_ what: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("\(what) did not throw")
        } catch let error as LogError {
            #expect(error.code == .unavailable, "\(what): \(error)")
            #expect(error.isRetriable, "\(what): \(error)")
            #expect(error.message.contains("127.0.0.1:1"), "\(what): \(error)")
        } catch {
            Issue.record("\(what): \(error)")
        }
    }

    @Test func closingIsBoundedWhileBrokerIsDown() async throws {
        try await TestBroker.with { broker in
            var configuration = broker.configuration
            configuration.closeTimeout = .seconds(1)
            configuration.requestTimeout = .seconds(2)
            let log = KafkaLog(configuration)
            _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
            let producer = try await log.makeProducer()
            _ = try await producer.send([OutgoingRecord(topicPartition: Self.topicPartition("t"), key: nil, value: [1])]
            )
            let lane = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
            try await Self.readOne(lane)
            let reader = try await log.makeReader(from: [Self.topicPartition("t"): 0])
            await broker.stop()
            let begin = ContinuousClock.now
            await lane.close()
            await reader.close()
            await producer.close()
            await log.close()
            #expect(begin.duration(to: .now) < .seconds(6))
        }
    }

    /// A producer that has sent this record, the first one of its topic.
    private static func startSending(to log: KafkaLog) async throws -> (any LogProducer, OutgoingRecord) {
        _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
        let producer = try await log.makeProducer()
        let record = OutgoingRecord(topicPartition: Self.topicPartition("t"), key: nil, value: [1])
        #expect(try await producer.send([record]) == [0])
        return (producer, record)
    }

    @Test func sendEndsWhileBrokerIsDown() async throws {
        try await TestBroker.with { broker in
            var configuration = broker.configuration
            configuration.requestTimeout = .seconds(1)
            let log = KafkaLog(configuration)
            let (producer, record) = try await Self.startSending(to: log)
            await broker.stop()
            let error = await #expect(throws: LogError.self) { _ = try await producer.send([record]) }
            #expect(error?.code == .unavailable, "\(String(describing: error))")
            try await broker.start()
            // The client may have to be recreated inside; the producer is the same.
            let offsets = try await Self.eventually { try await producer.send([record]) }
            #expect(offsets.count == 1)
            await producer.close()
            await log.close()
        }
    }

    @Test("A send that waits for a broker ends when the producer is closed, not at its own timeout")
    func closingEndsPendingSend() async throws {
        try await TestBroker.with { broker in
            var configuration = broker.configuration
            configuration.requestTimeout = .seconds(45)
            configuration.closeTimeout = .milliseconds(100)
            let log = KafkaLog(configuration)
            let (producer, record) = try await Self.startSending(to: log)
            await broker.stop()
            let begin = ContinuousClock.now
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let sending = Task {
                start.yield()
                return try await producer.send([record])
            }
            for await _ in starts { break }
            // Calls are carried out one after the other: behind these the producer has the record.
            for _ in 0..<10 { _ = try await producer.send([]) }
            await producer.close()
            await #expect(throws: LogError.self) { try await sending.value }
            #expect(begin.duration(to: .now) < .seconds(20))
            await log.close()
        }
    }

    @Test func copiesStayExactlyOnceDuringBrokerRestart() async throws {
        try await TestBroker.with { broker in
            let log = KafkaLog(broker.configuration)
            let count = 300
            _ = try await log.createTopics([
                TopicDescription(name: "source", partitions: 1), TopicDescription(name: "sink", partitions: 1),
            ])
            let producer = try await log.makeProducer()
            _ = try await producer.send(
                (0..<count)
                    .map {
                        OutgoingRecord(
                            topicPartition: Self.topicPartition("source"),
                            key: nil,
                            value: Array("\($0)".utf8)
                        )
                    }
            )
            await producer.close()
            async let copying: Int = Self.copy(count, log)
            for _ in 0..<3 {
                try await Self.awaitProgress(log)
                await broker.stop()
                try await broker.start()
            }
            _ = try await copying
            let end = try await log.offsets([Self.topicPartition("sink")], at: .end)
            let reader = try await log.makeReader(from: [Self.topicPartition("sink"): 0])
            var values: [String] = []
            var position: Int64 = 0
            while position < end[Self.topicPartition("sink")] ?? 0 {
                let batch = try await reader.next(maxRecords: 1_000, timeout: .milliseconds(200))
                values += batch.records.map { String(decoding: $0.value ?? [], as: UTF8.self) }
                position = batch.positions[Self.topicPartition("sink")] ?? 0
            }
            await reader.close()
            await log.close()
            #expect(values == (0..<count).map { "\($0)" })
        }
    }

    /// Copies one record per transaction, and creates a new lane whenever one has thrown.
    private static func copy(_ count: Int, _ log: KafkaLog) async throws -> Int {
        var lanes = 0
        var next: Int64 = 0
        while next < Int64(count) {
            lanes += 1
            guard let lane = try? await log.makeLane(LaneConfiguration(group: "g", topics: ["source"], name: "l"))
            else {
                continue
            }
            do {
                while next < Int64(count) {
                    for event in try await lane.poll(maxRecords: 1, timeout: .milliseconds(200)) {
                        switch event {
                        case .assigned(let committed):
                            try await lane.start(at: committed)
                        case .revoked:
                            try await lane.release()
                        case .records(let records):
                            let outputs = records.map {
                                OutgoingRecord(
                                    topicPartition: Self.topicPartition("sink"),
                                    key: $0.key,
                                    value: $0.value
                                )
                            }
                            let offset = (records.last?.offset ?? 0) + 1
                            try await lane.commit(
                                LaneCommit(records: outputs, offsets: [Self.topicPartition("source"): offset])
                            )
                            next = offset
                        }
                    }
                }
            } catch {}
            await lane.close()
        }
        return lanes
    }

    /// Returns when the group has committed more than at the call.
    private static func awaitProgress(_ log: KafkaLog) async throws {
        let topicPartitions = [Self.topicPartition("source")]
        let before = try await Self.eventually {
            try await log.committedOffsets(group: "g", partitions: topicPartitions)
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            let now = try await Self.eventually {
                try await log.committedOffsets(group: "g", partitions: topicPartitions)
            }
            if now[topicPartitions[0]] ?? 0 >= min(before[topicPartitions[0]] ?? 0 + 20, 300) {
                return
            }
        }
        Issue.record("nothing was copied any more")
    }

    /// Retries while the log is unavailable, up to a time limit.
    private static func eventually<Result>(_ body: () async throws -> Result) async throws -> Result {
        for _ in 0..<10 {
            do {
                return try await body()
            } catch let error as LogError where error.isRetriable {
                continue
            }
        }
        return try await body()
    }

    private static func readOne(_ lane: any TransactionalLane) async throws {
        for _ in 0..<100 {
            for event in try await lane.poll(maxRecords: 1, timeout: .milliseconds(200)) {
                switch event {
                case .assigned(let committed): try await lane.start(at: committed)
                case .revoked: try await lane.release()
                case .records: return
                }
            }
        }
        Issue.record("no record came")
    }
}
