package import Foundation
package import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Holds conversations for people who type: asks for intents, and replies, as a client of a gateway.
///
/// Sends what is typed and does not wait for responses; the console reads them from the records.
package struct Talk: Sendable {
    package struct Request: Sendable {
        package var intent: String
        /// The text typed for its parameters, by name.
        package var values: [(name: String, value: String)]
        package var user: UserID
        package var device: String
        package var isLocked: Bool
        package var locale: String?
        package var timeZone: String?

        package init(
            intent: String,
            values: [(name: String, value: String)],
            user: UserID,
            device: String,
            isLocked: Bool,
            locale: String?,
            timeZone: String?
        ) {
            self.intent = intent
            self.values = values
            self.user = user
            self.device = device
            self.isLocked = isLocked
            self.locale = locale
            self.timeZone = timeZone
        }
    }

    let gateway: GatewayClient
    let registry: IntentRegistry

    /// Asks for an intent.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - key: The interaction's id: the same request under the same id again is the same interaction.
    /// - Returns: The interaction's id.
    /// - Throws: As ``GatewayClient/post(_:to:for:key:)``.
    package func ask(_ request: Request, key: UUID) async throws -> InteractionID {
        let known = self.registry[request.intent]?.registration.parameters ?? []
        var parameters: JSONObject = [:]
        for (name, value) in request.values {
            parameters[name] = TypedText.value(value, for: known.first { $0.name == name })
        }
        var body: JSONObject = [
            "intent": .string(request.intent),
            "parameters": .object(parameters),
            "device": ["id": .string(request.device), "locked": .bool(request.isLocked)],
        ]
        body["locale"] = request.locale.map(JSONValue.string)
        body["timeZone"] = request.timeZone.map(JSONValue.string)
        try await self.gateway.post(body, to: ["v1", "interactions"], for: request.user, key: key)
        return InteractionID(key.uuidString.lowercased())
    }

    /// Replies to an event that waits for a person.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - line: What is typed.
    ///   - device: The device on which it is typed.
    ///   - key: The reply's id: the same reply under the same id again has no further effect.
    /// - Throws: ``NotUnderstood``; as ``GatewayClient/post(_:to:for:key:)``.
    package func reply(to event: Event, _ line: String, on device: String, key: UUID) async throws {
        let reply = try self.replies(to: event).event(line, to: event, deviceID: device)
        let interaction = ["v1", "interactions", event.subject?.text ?? ""]
        let path: [String]
        var body = reply.data
        switch reply.type {
        case .appResponded: path = interaction + ["report"]
        case .userAuthenticated: path = ["v1", "signed-in"]
        case .deviceUnlocked:
            path = ["v1", "devices", device, "unlocked"]
            body = [:]
        default: path = interaction + ["answers"]
        }
        try await self.gateway.post(body, to: path, for: event.userID, key: key)
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
}
