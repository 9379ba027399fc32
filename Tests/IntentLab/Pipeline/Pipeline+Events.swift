package import IntentEvents
package import IntentKit
package import IntentRuntime
import Synchronization

extension Pipeline {
    /// Sends an event to the user's home partition, or to another one.
    ///
    /// - Throws: `LogError`.
    package func send(
        _ type: EventType,
        user: UserID = "u1",
        subject: InteractionID? = nil,
        partition: Int? = nil,
        headers: [LogHeader] = [],
        data: JSONValue
    ) async throws {
        let number = self.sent.withLock { number in
            number += 1
            return number
        }
        let event = Event(
            id: "e\(number)",
            source: "/tests",
            type: type,
            time: Timestamp(milliseconds: 0),
            subject: subject,
            userID: user,
            data: data
        )
        try await self.write(
            partition: partition ?? HomePartition.of(user: user, count: self.deployment.partitions),
            value: event.data.utf8,
            headers: event.headers.map { LogHeader($0.name, bytes: $0.value) } + headers
        )
    }

    /// Writes bytes to `requests`.
    ///
    /// - Throws: `LogError`.
    package func write(
        partition: Int,
        timestamp: Int64? = nil,
        key: [UInt8]? = nil,
        value: [UInt8]?,
        headers: [LogHeader]
    ) async throws {
        let target = TopicPartition(Topic.requests.name(prefix: self.deployment.prefix), partition)
        try await self.write([
            OutgoingRecord(topicPartition: target, timestamp: timestamp, key: key, value: value, headers: headers)
        ])
    }

    /// Writes records as a command does.
    ///
    /// - Throws: `LogError`.
    package func write(_ records: [OutgoingRecord]) async throws { try await self.ends.send(records) }

    /// Asks for an intent.
    ///
    /// - Throws: `LogError`.
    package func request(
        _ name: String,
        _ parameters: JSONObject = [:],
        user: UserID = "u1",
        subject: InteractionID,
        extra: JSONObject = [:]
    ) async throws {
        var data: JSONObject = extra
        data["intent"] = ["name": .string(name), "parameters": .object(parameters)]
        var userData = extra["user"]?.object ?? [:]
        userData["id"] = user.json
        data["user"] = .object(userData)
        try await self.send(.intentRequested, user: user, subject: subject, data: .object(data))
    }

    /// Answers a prompt.
    ///
    /// - Throws: `LogError`.
    package func answer(_ prompt: Event, user: UserID = "u1", _ answer: JSONObject) async throws {
        var data = answer
        data["promptId"] = prompt.data["promptId"]
        data["user"] = ["id": user.json]
        if data["action"] == nil { data["action"] = "accept" }
        try await self.send(.promptAnswered, user: user, data: .object(data))
    }
}
