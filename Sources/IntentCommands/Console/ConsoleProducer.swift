import Foundation
import IntentEvents
import IntentKit
import IntentRuntime

/// Sends what people say in the console.
///
/// It opens a producer for each event: the events come at the pace of people, and a producer that is only open while it
/// is needed does not have to be closed by other code.
struct ConsoleProducer: Sendable {
    /// The topics.
    let log: any EventLog
    /// Their deployment.
    let deployment: Deployment

    /// Sends an event to its user's home partition, and returns when it is acknowledged.
    /// - Throws: `LogError`.
    func send(_ type: EventType, _ data: JSONValue, id: InteractionID?, userID: UserID) async throws {
        var event = Event(
            id: UUID().uuidString.lowercased(),
            source: "/intentd/console",
            type: type,
            time: SystemRuntimeClock().now,
            subject: id,
            userID: userID,
            data: data
        )
        event.type = type.rawValue
        try await self.log.write([self.deployment.request(event)])
    }
}
