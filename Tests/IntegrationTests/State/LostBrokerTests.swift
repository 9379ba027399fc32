import EmbeddedBroker
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import KafkaLog
import Logging
import Testing

/// A broker that is lost before the workers leave.
@Suite("Workers that leave without a broker", .timeLimit(.minutes(2)))
struct LostBrokerTests {
    private let lines = LogLines()

    @Test("A worker leaves within 15 s although the client library's call does not return (R67a)")
    func stoppedWorkerLeavesInTime() async throws {
        try await FaultyProxy.withBroker(self.lines) { log, proxy in
            let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
            let producer = try await log.makeProducer()
            // An event that cannot be read takes a turn, too.
            let requests = TopicPartition(Topic.requests.name(prefix: deployment.prefix), 0)
            _ = try await producer.send([OutgoingRecord(topicPartition: requests, key: nil, value: [1])])
            await producer.close()
            proxy.loseBrokerAtTransactionOffsets()
            var wiring = StageWiring(deployment, on: log, registry: try IntentRegistry([]))
            wiring.logger = self.lines.logger()
            let worker = wiring.worker(.resolve)
            async let end: Void = worker.run()
            try await proxy.brokerIsLost()
            let stopped = ContinuousClock.now
            worker.stop()
            try await end
            #expect(stopped.duration(to: .now) < .seconds(15))
            let line = try await self.lines.next(.warning, "Stopped after an error")
            #expect(line.metadata["error.message"]?.contains("did not return in time") == true)
        }
    }

    @Test("Stages leave within 15 s together although each has a query that gets no response (R67a)")
    func stagesLeaveInTime() async throws {
        let directory = try TemporaryDirectory()
        let broker = try await EmbeddedBroker.start(
            .init(path: directory.file("broker.sqlite")),
            logger: self.lines.logger()
        )
        let log = KafkaLog(.init(brokers: ["127.0.0.1:\(broker.port)"]))
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let topics = Set(Stage.allCases.flatMap(\.inputTopics)).map { $0.name(prefix: deployment.prefix) }
        let producer = try await log.makeProducer()
        _ = try await producer.send(
            topics.map { OutgoingRecord(topicPartition: TopicPartition($0, 0), key: nil, value: [1]) }
        )
        await producer.close()
        let wiring = StageWiring(deployment, on: log, registry: try IntentRegistry([]))
        let workers = Stage.allCases.map(wiring.worker)
        let stopped = try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            // Only a lane that has committed keeps its state when it leaves.
            for stage in Stage.allCases {
                try await eventually(within: .seconds(30)) {
                    try await
                        !log.committedOffsets(
                            group: stage.group(prefix: deployment.prefix),
                            partitions: topics.map { TopicPartition($0, 0) }
                        )
                        .isEmpty
                }
            }
            await broker.shutdown()
            let stopped = ContinuousClock.now
            for worker in workers { worker.stop() }
            try await group.waitForAll()
            return stopped
        }
        #expect(stopped.duration(to: .now) < .seconds(15))
        await log.close()
    }
}
