import Foundation
import IntentConsole
import IntentEvents
import IntentKit
import IntentRuntime

extension ConsoleTalk {
    /// Talks to these topics, as `ask` does.
    static func make(_ access: AuditAccess) -> ConsoleTalk {
        let producer = ConsoleProducer(log: access.log, deployment: access.deployment)
        let registry = access.intents.registry
        return ConsoleTalk(
            ask: { request in
                guard let registration = registry[request.intent]?.registration else {
                    throw NotUnderstood(
                        "Nobody supports \(request.intent)\(NearMiss.hint(request.intent, among: registry.intentNames))."
                    )
                }
                var parameters: JSONObject = [:]
                for (name, value) in request.values {
                    guard let known = registration.parameters.first(where: { $0.name == name }) else {
                        let names = registration.parameters.map(\.name)
                        throw NotUnderstood(
                            "\(request.intent) has no parameter \(name)\(NearMiss.hint(name, among: names))."
                        )
                    }
                    parameters[name] = TypedText().value(value, for: known)
                }
                let id = InteractionID(UUID().uuidString.lowercased())
                let data: JSONValue = [
                    "intent": IntentSnapshot(name: request.intent, parameters: parameters).json,
                    "user": ["id": .string(request.user), "authenticated": .bool(request.isAuthenticated)],
                    "device": ["id": .string(request.device), "locked": .bool(request.isLocked)],
                    "locale": .string(request.locale),
                ]
                try await producer.send(.intentRequested, data, id: id, userID: UserID(request.user))
                return id
            },
            reply: { line, event, device in
                var reply: (type: EventType, data: JSONObject)
                do throws(TypedAnswer.NotUnderstood) {
                    reply = try Self.replies(to: event, registry).event(line, to: event, deviceID: device)
                } catch {
                    throw NotUnderstood(error.message)
                }
                reply.data["user"] = ["id": event.userID.json]
                try await producer.send(reply.type, .object(reply.data), id: event.subject, userID: event.userID)
            },
            hint: { Self.replies(to: $0, registry).hint($0) }
        )
    }

    /// What is typed for the parameters of the intent that an event is about.
    private static func replies(to event: Event, _ registry: IntentRegistry) -> TypedReply {
        let registration = (event.data["intent"]?["name"]?.string).flatMap { registry[$0]?.registration }
        return TypedReply(
            answers: TypedAnswer(
                parameters: registration?.parameters ?? [],
                constraints: registration?.constraints ?? [:]
            )
        )
    }
}
