package import IntentEvents
package import IntentKit
internal import IntentLedger
internal import IntentRecords
package import IntentRuntime
package import Logging
internal import SQLiteStore
package import ServiceLifecycle

/// Everything that workers need: deployment, intents, ledger, settings.
package struct Assembly: Sendable {
    /// The effective configuration.
    package let configuration: Configuration
    package let log: any EventLog
    package let deployment: Deployment
    package let intents: IntentSet
    /// The ledger of effects; nil when it is not needed.
    package let ledger: (any LedgerStore)?
    /// Proves which requests were sent again; nil where no stage runs.
    let redriveKey: RedriveKey?
    /// Signs anchors and cuts; nil when none is configured.
    let signingKey: SigningKey?

    /// Puts the parts together: loads the deployment, opens the store and claims the deployment for it.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - log: The log.
    ///   - intents: The intents.
    ///   - creatingTopics: Whether missing topics are created.
    ///   - workingStages: Whether this process runs stages at all: only those need the store and the key.
    /// - Returns: The parts.
    /// - Throws: `LogError`; `DeploymentError` (78) when topics or store do not fit; `StoreError`.
    package static func make(
        _ configuration: Configuration,
        log: any EventLog,
        intents: IntentSet,
        creatingTopics: Bool,
        workingStages: Bool = true
    ) async throws -> Assembly {
        try configuration.check()
        let signingKey = try SigningKeyFile(configuration)?.read()
        let deployment =
            creatingTopics
            ? try await TopicSetup.ensure(configuration, on: log).deployment
            : try await Deployment.load(prefix: configuration.prefix, from: log)
        try configuration.data.create(configuration.logger("intentd.data"))
        var ledger: (any LedgerStore)?
        if workingStages, configuration.hasLedger, intents.needsLedger {
            let store = try await configuration.openLedger(intents.migrations)
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

    /// The services of these roles, which all stop at the same time.
    ///
    /// - Parameters:
    ///   - roles: The roles.
    ///   - name: The worker's unique name.
    ///   - lanes: The number of lanes of each stage.
    ///   - isScripted: Whether `ce_intentdscript` is honoured.
    ///   - acceptsLoss: Whether to continue after events that retention removed before they were read.
    ///   - departure: How the workers leave.
    ///   - monitor: Watches the services; nil when there is none.
    ///   - tracing: Traces turns; nil for no turn.
    /// - Returns: The services.
    /// - Throws: ``OperationError`` when the files of the crash watch cannot be created.
    package func services(
        _ roles: [WorkerRole],
        name: String,
        lanes: Int,
        isScripted: Bool,
        acceptsLoss: Bool = false,
        departure: Departure = Departure(),
        monitor: Monitor? = nil,
        tracing: TurnTracing? = nil
    ) throws(OperationError) -> [any Service] {
        let reading = self.configuration.readingOptions(acceptsLoss: acceptsLoss)
        let stages = roles.compactMap(\.stage)
        let crashes = stages.isEmpty ? nil : try self.crashWatch(stages.count * lanes, name: name)
        if let crashes { monitor?.watch(crashes) }
        let threads = stages.isEmpty ? nil : TurnThreads()
        var services: [any Service] = []
        var health: [LaneHealth] = []
        for role in WorkerRole.allCases where roles.contains(role) {
            if let stage = role.stage {
                var worker = self.workerConfiguration(stage, name: name, lanes: lanes, isScripted: isScripted)
                worker.reading = reading
                worker.crashes = crashes
                worker.threads = threads
                worker.metrics = monitor?.factory
                worker.tracing = tracing
                let stageWorker = self.worker(worker)
                health += stageWorker.health
                monitor?.watch(stageWorker)
                monitor?.watch(groupsOf: [role])
                services += [
                    StageService(worker: stageWorker, departure: departure),
                    RegistryService(watch: self.watch(stage, name: name)),
                ]
            } else {
                let recorder = LaneHealth(role: role.rawValue, lane: name, clock: SystemRuntimeClock())
                health.append(recorder)
                services += self.recording(name: name, reading: reading, recorder, departure, monitor)
            }
        }
        services.append(
            TopicService(
                watch: TopicWatch(
                    self.deployment,
                    on: self.log,
                    health: health,
                    missingTimeout: reading.topicMissingTimeout,
                    logger: self.configuration.logger("intentd.topics")
                )
            )
        )
        if roles.contains(.handle), let days = RecordRetention(self.configuration).days,
            let ledger = self.ledger
        {
            services.append(
                LedgerPruneService(
                    log: self.log,
                    deployment: self.deployment,
                    ledger: ledger,
                    days: days,
                    key: self.signingKey,
                    logger: self.configuration.logger("intentd.store")
                )
            )
        }
        return [ConcurrentServices(services, logger: self.configuration.logger("intentd.services"))]
    }

    /// The recorder, and the service that anchors what it records.
    private func recording(
        name: String,
        reading: ReadingOptions,
        _ health: LaneHealth,
        _ departure: Departure,
        _ monitor: Monitor?
    ) -> [any Service] {
        var recorder = Recorder.Configuration(prefix: self.deployment.prefix, name: name)
        recorder.departure = { departure.kind }
        recorder.deployment = self.deployment
        recorder.reading = reading
        if let monitor {
            recorder.health = health
            recorder.metrics = monitor.factory
            monitor.watch([health])
            monitor.watch(records: self.configuration.data.records)
            // A stage without workers cannot report itself (R81a).
            monitor.watch(groupsOf: WorkerRole.allCases)
        }
        var services: [any Service] = [
            RecordService(
                log: self.log,
                path: self.configuration.data.records,
                pruner: RecordPruner(
                    path: self.configuration.data.records,
                    deployment: self.deployment.id,
                    days: RecordRetention(self.configuration).days,
                    key: self.signingKey,
                    logger: self.configuration.logger("intentd.record")
                ),
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

    /// Announces this worker's registry to the other workers of a stage, and receives theirs.
    private func watch(_ stage: Stage, name: String) -> RegistryWatch {
        let digest = RegistryDigest(self.intents.registry, self.configuration.runtimeSettings)
        return RegistryWatch(
            .init(stage: stage, worker: name, digest: digest),
            deployment: self.deployment,
            log: self.log,
            logger: self.configuration.logger("intentd.\(stage.rawValue)")
        )
    }

    /// What every process that stays watches besides its work: its monitoring, or at least the brokers; and the files that
    /// it has read (R81g).
    package func watches(_ monitoring: Monitoring?, logger: Logger) -> [any Service] {
        (monitoring?.services ?? [BrokerWatch(self.log, logger: self.configuration.logger("intentd.monitoring"))])
            + [ChangedFilesService(self.configuration, logger: logger)]
    }

    /// Runs services with this configuration's logger.
    package func run(_ services: [any Service]) -> ServiceRun {
        ServiceRun(services: services, logger: self.configuration.logger("intentd.services"))
    }

    /// Watches over this process, and counts the crash of the previous one.
    private func crashWatch(_ lanes: Int, name: String) throws(OperationError) -> CrashWatch {
        let settings = self.configuration.runtimeSettings
        return try CrashFiles.watch(
            self.configuration.data,
            worker: name,
            deployment: self.deployment.id,
            capacity: lanes * (settings.handlerConcurrency + settings.maxParked + 1),
            maxCrashes: settings.maxCrashes,
            logger: self.configuration.logger("intentd.crashes")
        )
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
        worker.settings = self.configuration.runtimeSettings(in: self.deployment)
        let data = self.configuration.data
        let deployment = self.deployment.id
        worker.makeSpill = { lane in
            try await SQLiteStateSpill.open(at: data.spill(stage, lane: lane), deployment: deployment)
        }
        return worker
    }

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
