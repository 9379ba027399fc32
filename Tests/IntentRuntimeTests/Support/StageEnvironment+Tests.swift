import IntentEvents
import IntentKit

@testable import IntentRuntime

extension StageEnvironment {
    /// A stage of the deployment `d`, with the topics of `intents` and a worker named `w`.
    static func tests(
        _ stage: Stage,
        _ registrations: [IntentRegistration] = [],
        settings: RuntimeSettings = RuntimeSettings(),
        ledger: (any EffectLedger)? = nil,
        partitions: Int = 1,
        clock: any RuntimeClock = SystemRuntimeClock(),
        threads: (any TaskExecutor)? = nil
    ) throws -> StageEnvironment {
        StageEnvironment(
            stage: stage,
            registry: try IntentRegistry([IntentExtension("Tests") { registrations }]),
            settings: settings,
            ledger: ledger,
            deployment: "d",
            prefix: "intents",
            partitions: partitions,
            worker: "w",
            clock: clock,
            threads: threads
        )
    }
}
