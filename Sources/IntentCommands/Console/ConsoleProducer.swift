import Foundation
import IntentEvents
import IntentKit
import IntentRuntime

/// Sends what people say in the console.
///
/// A producer for each word: they come at the pace of people, and what is open only while it is needed need not be closed
/// by anybody else.
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
        let place = TopicPartition(
            Topic.requests.name(prefix: self.deployment.prefix),
            HomePartition.of(user: userID, count: self.deployment.partitions)
        )
        let producer = try await self.log.makeProducer()
        do {
            _ = try await producer.send([OutgoingRecord(topicPartition: place, content: event.content)])
        } catch {
            await producer.close()
            throw error
        }
        await producer.close()
    }
}
