import Foundation
import IntentAudit
import IntentEvents
import IntentRuntime

/// What replay and audit work with: the topics, their deployment, and today's handlers.
struct AuditAccess {
    /// The configuration.
    let configuration: Configuration
    /// The topics; only readers are created.
    let log: any EventLog
    /// The topics' deployment.
    let deployment: Deployment
    /// Today's intents.
    let intents: IntentSet

    /// Finds the topics, and closes the connection to them in any case.
    static func use<Value>(
        _ configuration: Configuration,
        _ body: (AuditAccess) async throws -> Value
    ) async throws -> Value {
        let intents = try Self.intents(configuration)
        return try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await body(
                    AuditAccess(configuration: configuration, log: log, deployment: deployment, intents: intents)
                )
            }
    }

    private static func intents(_ configuration: Configuration) throws(CommandFailure) -> IntentSet {
        do throws(CommandFailure) {
            return try IntentSet(configuration)
        } catch {
            guard error.status == .configuration else { throw error }
            throw CommandFailure(
                error.status,
                "\(error.message)\nthis runs the intents' handlers, and without all of them it would prove nothing; "
                    + "`intentd audit verify` and `intentd audit show` need none"
            )
        }
    }

    /// Today's handlers and settings; turns add their own stage and worker.
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

    /// The parameters to mask, unless they are to be revealed.
    func sensitive(_ masking: RevealOption) -> SensitiveParameters? {
        masking.reveal ? nil : SensitiveParameters(self.intents)
    }
}
