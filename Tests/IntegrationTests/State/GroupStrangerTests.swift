import EmbeddedBroker
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import KafkaLog
import Logging
import Testing

/// A worker whose group another program has joined, through the real client and the embedded broker.
@Suite("Foreign members of a group", .timeLimit(.minutes(2)))
struct GroupStrangerTests {
    @Test(
        "R70: with a foreign member in its group a worker processes nothing and names it, and continues when it has left"
    )
    func waitsForForeignMemberToLeave() async throws {
        let directory = try TemporaryDirectory()
        let broker = try await EmbeddedBroker.start(
            .init(path: directory.file("broker.sqlite")),
            logger: Logger(label: "broker") { _ in SwiftLogNoOpLogHandler() }
        )
        let log = KafkaLog(.init(brokers: ["127.0.0.1:\(broker.port)"]))
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 4), on: log)
        let group = Stage.handle.group(prefix: "intents")
        var configuration = LaneConfiguration(
            group: group,
            topics: [Topic.confirmed.name(prefix: "intents")],
            name: "stranger"
        )
        configuration.delivery = .consumeOnly
        var connection = KafkaLog.Configuration(brokers: ["127.0.0.1:\(broker.port)"])
        connection.clientIDPrefix = "outside"
        let other = KafkaLog(connection)
        let stranger = try await other.makeLane(configuration)
        let hasJoined = Gate()
        let polling = Task {
            while !Task.isCancelled {
                for event in try await stranger.poll(maxRecords: 10, timeout: .milliseconds(50)) {
                    switch event {
                    case .assigned:
                        try await stranger.start(at: [:])
                        hasJoined.open()
                    case .revoked: try await stranger.release()
                    case .records: break
                    }
                }
            }
        }
        await hasJoined.wait()
        #expect(try await log.members(of: group).first?.partitions.count == 4)

        let lines = LogLines()
        let registry = try IntentRegistry([IntentExtension("Waiting") { IntentRegistration { AskingHandler() } }])
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: InMemoryLedger())
        wiring.logger = lines.logger()
        let worker = wiring.worker(.handle)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            let line = try await lines.next(.error, "Restarting lane")
            let message = try #require(line.metadata["error.message"])
            #expect(message.contains("assigned lane worker-0 partitions"), "\(message)")
            #expect(message.contains("the lane processes none of them"), "\(message)")
            #expect(
                message.contains(
                    "client id outside-intents.handle-stranger-consumer, at 127.0.0.1, reads intents.confirmed"
                ),
                "\(message)"
            )
            #expect(!worker.health.contains { $0.report.isReady })
            #expect(!lines.all.contains { $0.message == "Partitions assigned" })

            polling.cancel()
            _ = try? await polling.value
            await stranger.close(.leaveGroup)
            _ = try await lines.next(.info, "Partitions assigned")
            worker.stop()
            try await group.waitForAll()
        }
        await other.close()
        await log.close()
        await broker.shutdown()
    }
}
