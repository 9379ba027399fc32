internal import Foundation
package import IntentEvents
package import IntentKit
package import IntentRuntime

/// Holds conversations for people who type: asks for intents, and replies.
///
/// Sends what is typed and does not wait for responses; the console reads them from the records.
package struct Talk: Sendable {
    package struct Request: Sendable {
        package var intent: String
        /// The text typed for its parameters, by name.
        package var values: [(name: String, value: String)]
        package var user: String
        package var device: String
        package var isLocked: Bool
        package var isAuthenticated: Bool
        package var locale: String

        package init(
            intent: String,
            values: [(name: String, value: String)],
            user: String,
            device: String,
            isLocked: Bool,
            isAuthenticated: Bool,
            locale: String
        ) {
            self.intent = intent
            self.values = values
            self.user = user
            self.device = device
            self.isLocked = isLocked
            self.isAuthenticated = isAuthenticated
            self.locale = locale
        }
    }

    package let log: any EventLog
    package let deployment: Deployment
    package let registry: IntentRegistry
    /// The source of the events.
    package let source: String

    /// Asks for an intent, in the time zone of this machine; returns the interaction's id.
    /// - Throws: ``NotUnderstood``; `LogError`.
    package func ask(_ request: Request) async throws -> InteractionID {
        guard let registration = self.registry[request.intent]?.registration else {
            let hint = NearMiss.hint(request.intent, among: self.registry.intentNames)
            throw NotUnderstood("Unknown intent: \(request.intent)\(hint).")
        }
        var parameters: JSONObject = [:]
        for (name, value) in request.values {
            guard let known = registration.parameters.first(where: { $0.name == name }) else {
                let names = registration.parameters.map(\.name)
                throw NotUnderstood("\(request.intent) has no parameter \(name)\(NearMiss.hint(name, among: names)).")
            }
            parameters[name] = TypedText.value(value, for: known)
        }
        let id = InteractionID(UUID().uuidString.lowercased())
        let data: JSONValue = [
            "intent": IntentSnapshot(name: request.intent, parameters: parameters).json,
            "user": ["id": .string(request.user), "authenticated": .bool(request.isAuthenticated)],
            "device": ["id": .string(request.device), "locked": .bool(request.isLocked)],
            "locale": .string(request.locale),
            "timeZone": .string(TimeZone.current.identifier),
        ]
        try await self.send(.intentRequested, data, id: id, userID: UserID(request.user))
        return id
    }

    /// Replies to an event that waits for a person.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - line: What is typed.
    ///   - device: The device on which it is typed.
    /// - Throws: ``NotUnderstood``; `LogError`.
    package func reply(to event: Event, _ line: String, on device: String) async throws {
        var reply = try self.replies(to: event).event(line, to: event, deviceID: device)
        reply.data["user"] = ["id": event.userID.json]
        try await self.send(reply.type, .object(reply.data), id: event.subject, userID: event.userID)
    }

    /// What can be typed as a reply, in words; nil when no reply is expected.
    package func hint(_ event: Event) -> String? { self.replies(to: event).hint(event) }

    /// What is typed for the parameters of the intent that an event is about.
    private func replies(to event: Event) -> TypedReply {
        let registration = (event.data["intent"]?["name"]?.string).flatMap { self.registry[$0]?.registration }
        return TypedReply(
            answers: TypedAnswer(
                parameters: registration?.parameters ?? [],
                constraints: registration?.constraints ?? [:]
            )
        )
    }

    /// Sends an event to its user's home partition, and returns when it is acknowledged.
    private func send(_ type: EventType, _ data: JSONValue, id: InteractionID?, userID: UserID) async throws {
        let event = Event(
            id: UUID().uuidString.lowercased(),
            source: self.source,
            type: type,
            time: SystemRuntimeClock().now,
            subject: id,
            userID: userID,
            data: data
        )
        // The log opens a producer for it: events come at the pace of people, and nobody has to close anything.
        try await self.log.write([self.deployment.request(event)])
    }
}
