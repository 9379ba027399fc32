import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("R31: a ledger that holds requests beyond the topic's end")
struct LedgerReachTests {
    private let log = InMemoryLog()
    private let ledger = InMemoryLedger()

    private func worker(_ stage: Stage, _ ledger: (any EffectLedger)?) async throws -> StageWorker {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 4), on: self.log)
        let registrations = [IntentRegistration { GreetHandler() }]
        let registry = try IntentRegistry([IntentExtension("Tests") { registrations }])
        var wiring = StageWiring(deployment, on: self.log, registry: registry, ledger: ledger)
        // What cannot be is believed at once.
        wiring.configure = { $0.reading.topicMissingTimeout = .zero }
        return wiring.worker(stage)
    }

    /// Runs a worker until it has its partitions, and one event of each partition is committed.
    private func works(_ worker: StageWorker, _ stage: Stage) async throws {
        let group = stage.group(prefix: "intents")
        let topicPartitions = (0..<4).map { TopicPartition(stage.inputTopic.name(prefix: "intents"), $0) }
        let producer = try await self.log.makeProducer()
        _ = try await producer.send(
            topicPartitions.map { OutgoingRecord(topicPartition: $0, key: nil, value: Array("{}".utf8), headers: []) }
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await worker.run() }
            tasks.addTask {
                try await eventually {
                    try await self.log.committedOffsets(group: group, partitions: topicPartitions).count
                        == topicPartitions.count
                }
                worker.stop()
            }
            try await tasks.next()
            try await tasks.waitForAll()
        }
    }

    @Test("The handle worker leaves with the problem, its position, and a remedy", .timeLimit(.minutes(1)))
    func workerLeavesWithProblemPositionAndRemedy() async throws {
        let worker = try await self.worker(.handle, self.ledger)
        _ = try await self.ledger.close(request: "2:17", unlessEffects: false)
        let error = await #expect(throws: LogError.self) { try await self.works(worker, .handle) }
        #expect(error?.code == .topicsChanged)
        for part in ["in-memory", "intents.requests[2] up to offset 17", "ends at 0", "replace the store"] {
            #expect(error?.message.contains(part) == true, "\(part): \(error?.message ?? "")")
        }
    }

    @Test("Partitions that are assigned to a worker later are checked then", .timeLimit(.minutes(1)))
    func checksPartitionsAssignedLater() async throws {
        let worker = try await self.worker(.handle, self.ledger)
        let running = Task { try await worker.run() }
        let group = Stage.handle.group(prefix: "intents")
        let topicPartition = TopicPartition("intents.confirmed", 2)
        let producer = try await self.log.makeProducer()
        _ = try await producer.send([
            OutgoingRecord(topicPartition: topicPartition, key: nil, value: Array("{}".utf8), headers: [])
        ])
        try await eventually {
            try await !self.log.committedOffsets(group: group, partitions: [topicPartition]).isEmpty
        }
        _ = try await self.ledger.close(request: "2:17", unlessEffects: false)
        self.log.rebalance(group)
        let error = await #expect(throws: LogError.self) { try await running.value }
        #expect(error?.code == .topicsChanged)
    }

    @Test("Requests that others carry out meanwhile are no reason to leave", .timeLimit(.minutes(1)))
    func requestsCarriedOutByOthersAreNoReason() async throws {
        // Others write while the ledger is read: a request comes, and is carried out.
        let ledger = InMemoryLedger { [log] partition in
            let producer = try await log.makeProducer()
            let topicPartition = TopicPartition("intents.requests", partition)
            let offsets = try await producer.send([
                OutgoingRecord(topicPartition: topicPartition, key: nil, value: [], headers: [])
            ])
            await producer.close()
            return offsets.first
        }
        try await self.works(try await self.worker(.handle, ledger), .handle)
    }

    @Test("Without a ledger, and in stages that make no effects, nothing is checked", .timeLimit(.minutes(1)))
    func checksNothingWithoutLedgerOrEffects() async throws {
        _ = try await self.ledger.close(request: "2:17", unlessEffects: false)
        try await self.works(try await self.worker(.handle, nil), .handle)
        try await self.works(try await self.worker(.confirm, self.ledger), .confirm)
    }
}
