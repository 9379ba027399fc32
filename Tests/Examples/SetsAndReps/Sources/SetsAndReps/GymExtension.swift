import IntentKit

extension IntentExtension {
    /// Sets, reps and weight: what fits none of SiriKit's domains.
    public static let gym = IntentExtension("Gym", migrations: TrainingLog.migrations) {
        IntentRegistration(version: "1") { LogSetHandler() }
        IntentRegistration(version: "1") { BestSetHandler() }
        IntentRegistration(version: "1") { LogRepsHandler() }
    }
}
