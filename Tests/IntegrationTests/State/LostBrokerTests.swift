import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import KafkaLog
import Logging
import Testing

/// A broker that is lost while a lane commits.
@Suite("A broker that is lost within a commit", .timeLimit(.minutes(2)))
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
            let line = try await self.lines.next(.warning, "Restarting lane")
            #expect(line.metadata["error.message"]?.contains("did not return in time") == true)
        }
    }
}
