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
                let intent = event.data["intent"]?["name"]?.string
                let parameters = intent.flatMap { registry[$0]?.registration.parameters } ?? []
                let replies = TypedReply(answers: TypedAnswer(parameters: parameters))
                var reply: (type: EventType, data: JSONObject)
                do throws(TypedAnswer.NotUnderstood) {
                    reply = try replies.event(line, to: event, deviceID: device)
                } catch {
                    throw NotUnderstood(error.message)
                }
                reply.data["user"] = ["id": event.userID.json]
                try await producer.send(reply.type, .object(reply.data), id: event.subject, userID: event.userID)
            },
            hint: { event in
                let intent = event.data["intent"]?["name"]?.string
                let parameters = intent.flatMap { registry[$0]?.registration.parameters } ?? []
                return TypedReply(answers: TypedAnswer(parameters: parameters)).hint(event)
            }
        )
    }
}
