import EmbeddedBroker
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import KafkaLog
import Logging
import Testing

/// Offsets that an operator has set, through the real client and the embedded broker.
@Suite("Group offsets that an operator has reset", .timeLimit(.minutes(3)))
struct GroupOffsetsBrokerTests {
    private static let partitions = 2

    /// Runs all stages while the body runs; they leave for good.
    private func work(
        _ deployment: Deployment,
        _ log: KafkaLog,
        _ lines: LogLines,
        _ body: @Sendable (ConversationClient) async throws -> Void
    ) async throws {
        let registry = try IntentRegistry([IntentExtension("Asking") { IntentRegistration { AskingHandler() } }])
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: InMemoryLedger())
        wiring.logger = lines.logger()
        let workers = wiring.workers()
        let client = try await ConversationClient(deployment, on: log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            group.addTask { try await client.run() }
            try await body(client)
            for worker in workers { worker.stop(.leaveGroup) }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func ask(_ number: Int, _ client: ConversationClient) async throws {
        let user = UserID("user \(number)")
        let conversation = client.open(id: InteractionID("i\(number)"), userID: user)
        defer { conversation.close() }
        let data: JSONValue = [
            "intent": ["name": "AskingIntent", "parameters": ["text": "x"]], "user": ["id": user.json],
        ]
        try await conversation.send([conversation.makeEvent("intent.requested", data: data)])
        while try await conversation.next(timeout: .seconds(60)).data["terminal"] != true {}
    }

    /// Commits an offset for all partitions of a topic, as a member of the group.
    private func set(_ offset: Int64, of stage: Stage, _ log: KafkaLog) async throws {
        var configuration = StageWorker.lane("operator", of: stage, prefix: "intents")
        configuration.delivery = .atLeastOnce
        let lane = try await log.makeLane(configuration)
        let topic = stage.inputTopic.name(prefix: "intents")
        var isSet = false
        while !isSet {
            for event in try await lane.poll(maxRecords: 1, timeout: .milliseconds(50)) {
                switch event {
                case .assigned(let topicPartitions) where topicPartitions.count == 2 * Self.partitions:
                    try await lane.start(at: topicPartitions)
                    let offsets = (0..<Self.partitions).map { (TopicPartition(topic, $0), offset) }
                    try await lane.commit(
                        LaneCommit(records: [], offsets: Dictionary(uniqueKeysWithValues: offsets))
                    )
                    isSet = true
                case .assigned: try await lane.start(at: [:])
                case .revoked: try await lane.release()
                case .records: break
                }
            }
        }
        await lane.close(.leaveGroup)
    }

    @Test("R69: a stage whose group offsets were reset to earlier ones answers nobody twice", arguments: Stage.allCases)
    func resetGroupOffsetsRepeatNoAnswer(_ stage: Stage) async throws {
        let directory = try TemporaryDirectory()
        let broker = try await EmbeddedBroker.start(
            .init(path: directory.file("broker.sqlite")),
            logger: Logger(label: "broker") { _ in SwiftLogNoOpLogHandler() }
        )
        let log = KafkaLog(.init(brokers: ["127.0.0.1:\(broker.port)"]))
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let lines = LogLines()
        try await self.work(deployment, log, lines) { client in
            for number in 0..<6 { try await self.ask(number, client) }
        }
        try await self.set(0, of: stage, log)
        try await self.work(deployment, log, lines) { client in
            for number in 6..<10 { try await self.ask(number, client) }
        }
        let warned = lines.all.filter { $0.message.hasPrefix("The group's offset is behind its state") }
        #expect(warned.contains { $0.metadata["messaging.consumer.group.name"] == "intents.\(stage)" })
        var ends: [String: Int] = [:]
        let topicPartitions = (0..<Self.partitions).map { TopicPartition(Topic.responses.name(prefix: "intents"), $0) }
        let ranges = try await log.offsets(topicPartitions, at: .lastStable).mapValues { 0..<$0 }
        try await log.read(ranges) { records in
            for record in records where record.value.flatMap({ try? JSONValue(parsing: $0) })?["terminal"] == true {
                ends[record.header(EventHeaderName.subject) ?? "", default: 0] += 1
            }
        }
        #expect(ends.count == 10 && ends.values.allSatisfy { $0 == 1 }, "\(ends)")
        await log.close()
        await broker.shutdown()
    }
}
