import IntentEvents
import IntentKit
import IntentRuntime
import IntentStore
import Logging
import ServiceLifecycle

/// Everything that workers need, put together: deployment, intents, ledger, settings.
struct Assembly: Sendable {
    /// The effective configuration.
    let configuration: Configuration
    /// The log.
    let log: any EventLog
    /// The topics and their id.
    let deployment: Deployment
    /// The intents.
    let intents: IntentSet
    /// Where effects are kept to once each; nil where nobody needs it.
    let ledger: (any EffectLedger)?
    /// Proves which requests were sent again; nil where no stage is worked.
    let redriveKey: RedriveKey?
    /// Signs anchors and cuts; nil when none is configured.
    let signingKey: SigningKey?

    /// Puts the parts together: loads the deployment, opens the store and claims the deployment for it.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - log: The log.
    ///   - intents: The intents.
    ///   - creatingTopics: Whether topics are made where they are missing.
    ///   - workingStages: Whether this process works stages at all: only those need the store and the key.
    /// - Returns: The parts.
    /// - Throws: `LogError`; `DeploymentError` (78) when topics or store do not fit; `StoreError`.
    static func make(
        _ configuration: Configuration,
        log: any EventLog,
        intents: IntentSet,
        creatingTopics: Bool,
        workingStages: Bool = true
    ) async throws -> Assembly {
        let signingKey = try SigningKeyFile(configuration)?.read()
        guard configuration.anchorInterval == nil || signingKey != nil else {
            throw CommandFailure(
                .configuration,
                "audit.anchorEvery is set, but audit.keyFile names no key to sign the anchors with: make one with "
                    + "`intentd audit key --make --file FILE`"
            )
        }
        let deployment =
            creatingTopics
            ? try await TopicSetup.ensure(configuration, on: log).deployment
            : try await Deployment.load(prefix: configuration.prefix, from: log)
        try configuration.data.create(configuration.logger("intentd.data"))
        var ledger: SQLiteLedger?
        if workingStages, configuration.hasLedger, intents.needsLedger {
            let store = try await SQLiteLedger.open(at: configuration.data.store, migrations: intents.migrations)
            try await store.join(deployment, on: log)
            ledger = store
        }
        return Assembly(
            configuration: configuration,
            log: log,
            deployment: deployment,
            intents: intents,
            ledger: ledger,
            redriveKey: workingStages ? try await deployment.makeRedriveKey(on: log) : nil,
            signingKey: signingKey
        )
    }

    /// The services that carry these duties out.
    ///
    /// - Parameters:
    ///   - duties: What to do.
    ///   - name: The worker's name, its alone.
    ///   - lanes: How many lanes each stage has.
    ///   - isScripted: Whether `ce_intentdscript` is honoured.
    ///   - acceptsLoss: Whether to go on behind events that retention removed before they were read.
    /// - Returns: The services.
    func services(
        _ duties: [Duty],
        name: String,
        lanes: Int,
        isScripted: Bool,
        acceptsLoss: Bool = false
    ) -> [any Service] {
        let reading = self.configuration.readingOptions(acceptsLoss: acceptsLoss)
        var services: [any Service] = []
        for duty in Duty.allCases where duties.contains(duty) {
            if let stage = duty.stage {
                var worker = self.workerConfiguration(stage, name: name, lanes: lanes, isScripted: isScripted)
                worker.reading = reading
                services.append(StageService(worker: self.worker(worker)))
            } else {
                services += self.recording(name: name, reading: reading)
            }
        }
        return services
    }

    /// The recorder, and who anchors what it records.
    private func recording(name: String, reading: ReadingOptions) -> [any Service] {
        var recorder = Recorder.Configuration(prefix: self.deployment.prefix, name: name)
        recorder.deployment = self.deployment
        recorder.reading = reading
        var services: [any Service] = [
            RecordService(
                log: self.log,
                path: self.configuration.data.records,
                configuration: recorder,
                logger: self.configuration.logger("intentd.record")
            )
        ]
        if let interval = self.configuration.anchorInterval, let key = self.signingKey {
            services.append(
                AnchorService(
                    log: self.log,
                    deployment: self.deployment,
                    directory: self.configuration.anchors,
                    interval: interval,
                    key: key,
                    logger: self.configuration.logger("intentd.audit")
                )
            )
        }
        return services
    }

    /// Runs services with this configuration's logger.
    func run(_ services: [any Service]) -> ServiceRun {
        ServiceRun(services: services, logger: self.configuration.logger("intentd.services"))
    }

    /// How a worker of a stage works.
    private func workerConfiguration(
        _ stage: Stage,
        name: String,
        lanes: Int,
        isScripted: Bool
    ) -> StageWorker.Configuration {
        var worker = StageWorker.Configuration(stage: stage, name: name)
        worker.lanes = lanes
        worker.delivery = self.configuration.delivery
        worker.isScripted = isScripted
        worker.settings = self.configuration.runtimeSettings
        let data = self.configuration.data
        let deployment = self.deployment.id
        worker.makeSpill = { lane in
            try await SQLiteStateSpill.open(at: data.spill(stage, lane: lane), deployment: deployment)
        }
        return worker
    }

    /// A worker of a stage.
    private func worker(_ configuration: StageWorker.Configuration) -> StageWorker {
        StageWorker(
            configuration,
            deployment: self.deployment,
            log: self.log,
            registry: self.intents.registry,
            ledger: self.ledger,
            redriveKey: self.redriveKey,
            vocabularies: self.intents.vocabularies,
            logger: self.configuration.logger("intentd.\(configuration.stage.rawValue)")
        )
    }
}
