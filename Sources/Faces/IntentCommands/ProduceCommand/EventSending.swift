import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// Sends one event about a user's vocabulary that a command has created, checked like a client's.
enum EventSending {
    /// Sends an event and prints its position.
    /// - Throws: ``OperationError``: the event is invalid (65), no broker (69).
    static func send(
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
                let record = deployment.request(event)
                let desk = OperatorDesk(deployment, log: log, by: by)
                let act = desk.act(
                    .vocabulary,
                    user: event.userID,
                    target: data["type"]?.string,
                    details: ["event": .string(type.rawValue)]
                )
                let offsets = try await log.write([desk.record(act), record])
                return RecordPosition(.requests, record.topicPartition.partition, offsets[1])
            }
    }
}
