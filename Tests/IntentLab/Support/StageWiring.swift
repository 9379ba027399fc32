package import IntentEvents
package import IntentKit
package import IntentRuntime
package import Logging

/// The workers of the stages on one log, as tests, benchmarks and the simulation wire them.
package struct StageWiring: Sendable {
    /// The deployment that they work for.
    package var deployment: Deployment
    /// Where its topics are.
    package var log: any EventLog
    /// The intents.
    package var registry: IntentRegistry
    /// Keeps effects; nil where there are none.
    package var ledger: (any EffectLedger)?
    /// The deployment's key; without it no request counts as one that was sent again (R48).
    package var redriveKey: RedriveKey?
    /// The terms that all users share.
    package var vocabularies = GlobalVocabularies()
    /// The workers' time.
    package var clock: any RuntimeClock = SystemRuntimeClock()
    /// Where they log.
    package var logger = Logger(label: "intentd.lab") { _ in SwiftLogNoOpLogHandler() }
    /// What the workers are called.
    package var name = "worker"
    /// Fits a worker's configuration to its purpose.
    package var configure: @Sendable (inout StageWorker.Configuration) -> Void = { _ in }

    /// Describes workers of a deployment.
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
    package func worker(_ stage: Stage) -> StageWorker {
        var configuration = StageWorker.Configuration(stage: stage, name: self.name)
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
    package func workers() -> [StageWorker] { Stage.allCases.map(self.worker) }
}
