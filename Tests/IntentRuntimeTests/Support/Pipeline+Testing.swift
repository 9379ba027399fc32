import CoreMetrics
import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab
import Logging
import Testing

extension Pipeline {
    /// Runs the body with a pipeline in memory that supports these intents.
    ///
    /// `limits` gives topics another `max.message.bytes` than the one they are created with: a larger one on `requests`
    /// admits what clients send compressed. `crashes` is called at each start of the workers.
    static func with(
        _ registrations: [IntentRegistration],
        restrictedWhileLocked: Set<String> = [],
        presentation: [IntentUIExtension] = [],
        settings: RuntimeSettings = RuntimeSettings(),
        ledger: (any EffectLedger)? = nil,
        isScripted: Bool = false,
        vocabularies: GlobalVocabularies = GlobalVocabularies(),
        partitions: Int = 4,
        limits: [Topic: Int] = [:],
        crashes: @escaping @autoclosure @Sendable () -> CrashWatch? = nil,
        threads: (any TaskExecutor)? = nil,
        tracing: TurnTracing? = nil,
        metrics: (any MetricsFactory)? = nil,
        logger: Logger = .tests(),
        checksWire: Bool = true,
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        let registry = try IntentRegistry(
            [IntentExtension("Tests", restrictedWhileLocked: restrictedWhileLocked) { registrations }],
            presentation: presentation
        )
        let log = InMemoryLog()
        for (topic, limit) in limits {
            var description = TopicDescription(name: topic.name(prefix: "intents"), partitions: partitions)
            description.configuration["max.message.bytes"] = String(limit)
            _ = try await log.createTopics([description])
        }
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: partitions), on: log)
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: ledger)
        wiring.redriveKey = try await deployment.makeRedriveKey(on: log)
        wiring.vocabularies = vocabularies
        wiring.clock = ShiftedClock()
        wiring.logger = logger
        wiring.crashes = { crashes() }
        wiring.configure = { configuration in
            configuration.settings = settings
            configuration.isScripted = isScripted
            configuration.threads = threads
            configuration.tracing = tracing
            configuration.metrics = metrics
        }
        let pipeline = try await Pipeline(wiring)
        pipeline.startWorkers()
        do {
            try await body(pipeline)
        } catch {
            await pipeline.stopWorkers()
            throw error
        }
        await pipeline.stopWorkers()
        guard checksWire else { return }
        // Whatever the test's subject, all its records match the schemas.
        let check = try await WireCheck.all(of: deployment, on: log)
        #expect(check.defects.isEmpty, "\(check.defects.prefix(10).map(\.description).joined(separator: "\n"))")
    }

    /// Acts as an operator on an interaction.
    func act(_ kind: OperatorAct.Kind, on id: InteractionID, user: UserID = "u1") async throws {
        var act = OperatorAct(kind, by: OperatorAct.Operator("ada", via: "terminal"))
        act.user = user
        act.interaction = id
        try await self.write([act.record(of: self.deployment, now: self.clock.now)])
    }

    /// The clock of the workers.
    var clock: ShiftedClock { self.wiring.clock as! ShiftedClock }

    /// Sets the figures of the handlers that are at work now.
    func updateHandlerGauges() {
        for worker in self.workers { worker.metrics?.updateHandlerGauges() }
    }

    /// Ends all workers; others take their place, some time later.
    func restartWorkers(after duration: Duration = .zero) async {
        await self.stopWorkers()
        self.clock.advance(by: duration)
        self.startWorkers()
    }

    /// Ends all workers; others take their place when the body is done.
    func restartWorkers(_ body: () async throws -> Void) async throws {
        await self.stopWorkers()
        try await body()
        self.startWorkers()
    }
}
