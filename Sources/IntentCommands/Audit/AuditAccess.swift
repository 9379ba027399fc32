import Foundation
import IntentAudit
import IntentEvents
import IntentRuntime

/// What replay and audit work with: the topics, their deployment, and the handlers of today.
struct AuditAccess {
    /// The configuration.
    let configuration: Configuration
    /// The topics; only readers are made of it.
    let log: any EventLog
    /// The topics' deployment.
    let deployment: Deployment
    /// The intents of today.
    let intents: IntentSet

    /// Finds the topics, and closes the way to them whatever happens.
    static func use<Value>(
        _ configuration: Configuration,
        _ body: (AuditAccess) async throws -> Value
    ) async throws -> Value {
        let intents = try IntentSet(configuration)
        return try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await body(
                    AuditAccess(configuration: configuration, log: log, deployment: deployment, intents: intents)
                )
            }
    }

    /// The handlers and settings of today; turns put their own stage and worker in it.
    var environment: StageEnvironment {
        StageEnvironment(
            stage: .resolve,
            registry: self.intents.registry,
            settings: self.configuration.runtimeSettings,
            deployment: self.deployment.id,
            prefix: self.deployment.prefix,
            partitions: self.deployment.partitions,
            worker: "replay",
            globalVocabularies: self.intents.vocabularies
        )
    }

    /// What is masked unless it is to be revealed.
    func sensitive(_ masking: RevealOption) -> SensitiveParameters? {
        masking.reveal ? nil : SensitiveParameters(self.intents)
    }
}
