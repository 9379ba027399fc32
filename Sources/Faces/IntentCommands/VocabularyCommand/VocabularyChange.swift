import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// A change of a user's vocabulary that a command makes, checked like a client's event.
enum VocabularyChange {
    /// Writes the event with the operator's act.
    /// - Returns: Where the event was written.
    /// - Throws: ``OperationError``: the event is invalid (65), no broker (69); `LogError`.
    static func write(
        _ type: EventType,
        data: JSONValue,
        by: OperatorAct.Operator,
        _ configuration: Configuration
    ) async throws -> RecordPosition {
        let structured: JSONValue = ["type": .string(type.rawValue), "data": data]
        let event = try EventReader(now: SystemRuntimeClock().now).read(structured.utf8)
        return try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await OperatorDesk(deployment, log: log, by: by).writeVocabulary(event)
            }
    }
}
