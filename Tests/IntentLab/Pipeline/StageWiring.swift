package import IntentEvents
package import IntentKit
package import IntentRuntime
package import Logging

/// The wiring of the stages' workers on one log, for tests, benchmarks and the simulation.
package struct StageWiring: Sendable {
    /// The deployment that they work for.
    package var deployment: Deployment
    /// The log with its topics.
    package var log: any EventLog
    /// The intents.
    package var registry: IntentRegistry
    /// The ledger of effects; nil where there are none.
    package var ledger: (any EffectLedger)?
    /// The deployment's key; without it no request counts as one that was sent again (R48).
    package var redriveKey: RedriveKey?
    /// The terms that all users share.
    package var vocabularies = GlobalVocabularies()
    /// The workers' clock.
    package var clock: any RuntimeClock = SystemRuntimeClock()
    /// The workers' logger.
    package var logger = Logger(label: "intentd.lab") { _ in SwiftLogNoOpLogHandler() }
    /// The workers' name.
    package var name = "worker"
    /// Watches turns that may end their process: called when workers are made, which share it.
    package var crashes: @Sendable () -> CrashWatch? = { nil }
    /// Adapts a worker's configuration.
    package var configure: @Sendable (inout StageWorker.Configuration) -> Void = { _ in }

    /// Creates the wiring of a deployment.
    package init(
        _ deployment: Deployment,
        on log: any EventLog,
        registry: IntentRegistry,
        ledger: (any EffectLedger)? = nil
    ) {
        self.deployment = deployment
        self.log = log
        self.registry = registry
        self.ledger = ledger
    }

    /// A worker of a stage.
    package func worker(_ stage: Stage) -> StageWorker { self.worker(stage, self.crashes()) }

    private func worker(_ stage: Stage, _ crashes: CrashWatch?) -> StageWorker {
        var configuration = StageWorker.Configuration(stage: stage, name: self.name)
        configuration.crashes = crashes
        self.configure(&configuration)
        return StageWorker(
            configuration,
            deployment: self.deployment,
            log: self.log,
            registry: self.registry,
            ledger: self.ledger,
            redriveKey: self.redriveKey,
            vocabularies: self.vocabularies,
            clock: self.clock,
            logger: self.logger
        )
    }

    /// A worker for each stage.
    package func workers() -> [StageWorker] {
        let crashes = self.crashes()
        return Stage.allCases.map { self.worker($0, crashes) }
    }
}
