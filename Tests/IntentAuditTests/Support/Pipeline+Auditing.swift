import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentLedger
import IntentRecords
import IntentRuntime
import IntentScenarios
import Logging

extension Pipeline {
    /// Runs the stages in memory while the body talks to them; when they have stopped, their records are audited.
    ///
    /// With `records`, everything is recorded there meanwhile.
    @discardableResult
    static func run(
        _ registrations: [IntentRegistration],
        settings: RuntimeSettings = .unhurried,
        partitions: Int = 3,
        log: InMemoryLog = InMemoryLog(),
        records: String? = nil,
        ledger: any EffectLedger = InMemoryLedger(),
        vocabularies: GlobalVocabularies = GlobalVocabularies(),
        _ body: @Sendable (Pipeline) async throws -> Void
    ) async throws -> Pipeline {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: partitions), on: log)
        let registry = try IntentRegistry([IntentExtension("Tests") { registrations }])
        var logger = Logger(label: "tests")
        logger.logLevel = .error
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: ledger)
        wiring.vocabularies = vocabularies
        wiring.logger = logger
        wiring.configure = { $0.settings = settings }
        let pipeline = try await Pipeline(wiring, records: records)
        try await pipeline.run { try await body(pipeline) }
        return pipeline
    }

    /// Plays a transfer to its end: answers what is asked for, and says yes.
    func transfer(
        _ id: InteractionID,
        user: UserID = "ada",
        recipient: String? = "bob",
        amount: Int? = 20,
        then act: @Sendable (JSONValue) async throws -> Void = { _ in }
    ) async throws {
        let conversation = self.client.open(id: id, userID: user)
        defer { conversation.close() }
        var parameters: JSONObject = [:]
        parameters["recipient"] = recipient.map(JSONValue.string)
        parameters["amount"] = amount.map { .integer(Int64($0)) }
        let request: JSONValue = [
            "intent": ["name": "TransferIntent", "parameters": .object(parameters)], "user": ["id": user.json],
        ]
        try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
        while true {
            let event = try await conversation.next(timeout: .seconds(60))
            try await act(event.data)
            if event.data["terminal"] == true { return }
            guard event.knownType == .promptIssued else { continue }
            var answer: JSONObject = [
                "promptId": event.data["promptId"] ?? .null, "user": ["id": user.json],
            ]
            switch event.data["parameter"]?.string {
            case "recipient": answer["value"] = "carol"
            case "amount": answer["value"] = 7
            default: answer["action"] = "accept"
            }
            try await conversation.send([conversation.makeEvent("prompt.answered", data: .object(answer))])
        }
    }

    /// Asks for a transfer, leaves the question unanswered, and waits for its time-out.
    ///
    /// On a machine so slow that the time is up before the question comes, it tries again with more time.
    /// - Returns: The interaction's id.
    @discardableResult
    func expire(_ name: String, user: UserID) async throws -> InteractionID {
        for round in 0... {
            let id: InteractionID = "\(name)-\(round)"
            let conversation = self.client.open(id: id, userID: user)
            defer { conversation.close() }
            let expiresAt = SystemRuntimeClock().now + Int64(500 << round)
            let request: JSONValue = [
                "intent": ["name": "TransferIntent"], "user": ["id": user.json],
                "expiresAt": .string(expiresAt.description),
            ]
            try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
            var isAsked = false
            while true {
                let event = try await conversation.next(timeout: .seconds(60))
                if event.knownType == .promptIssued { isAsked = true }
                if event.data["terminal"] == true { break }
            }
            if isAsked { return id }
        }
        return InteractionID(name)
    }

    /// Today's handlers.
    func environment(
        _ registrations: [IntentRegistration],
        _ vocabularies: GlobalVocabularies = GlobalVocabularies()
    ) throws -> StageEnvironment {
        StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([IntentExtension("Tests") { registrations }]),
            deployment: self.deployment.id,
            prefix: self.deployment.prefix,
            partitions: self.deployment.partitions,
            worker: "replay",
            globalVocabularies: vocabularies
        )
    }

    /// Runs recorded turns again.
    func replay(
        _ registrations: [IntentRegistration],
        on log: (any EventLog)? = nil,
        settings: RuntimeSettings = RuntimeSettings(),
        _ select: (inout ReplaySelection) -> Void = { _ in }
    ) async throws -> ReplayReport {
        var configuration = Replayer.Configuration(parallelism: 2)
        select(&configuration.selection)
        let environment = try self.environment(registrations).with(settings: settings)
        return try await Replayer(log: log ?? self.log, environment: environment, configuration: configuration).run()
    }

    /// Verifies the records.
    func verify(
        on log: (any EventLog)? = nil,
        records: String? = nil,
        store: String? = nil,
        anchors: [Anchor] = [],
        publicKey: VerifyingKey? = nil,
        at now: Timestamp = SystemRuntimeClock().now
    ) async throws -> AuditReport {
        try await AuditVerifier(log: log ?? self.log, deployment: self.deployment, parallelism: 2)
            .run(
                records: records,
                store: store.map(LedgerLocation.file),
                anchors: anchors,
                publicKey: publicKey,
                at: now
            )
    }
}
