internal import IntentEvents
package import IntentKit
internal import WireDocuments
package import WireRules

extension InteractionSnapshot {
    /// The interaction as clients see it.
    ///
    /// - Parameter links: Addresses by their names: `self`, and `confirm` where the user has to confirm elsewhere.
    /// - Returns: An object.
    package func json(links: [String: String]) -> JSONValue {
        [
            "id": self.id.json, "request": self.request?.json ?? .null, "state": .string(self.state.rawValue),
            "revision": .integer(self.revision), "intent": self.intent.map(JSONValue.string) ?? .null,
            "requestedAt": .string(self.requestedAt.description),
            "updatedAt": .string(self.updatedAt.description),
            "endedAt": self.endedAt.map { .string($0.description) } ?? .null,
            "prompt": self.prompt ?? .null, "response": self.response ?? .null, "update": self.update ?? .null,
            "activities": .array(self.activities), "rejection": self.rejection ?? .null,
            "links": .object(links.mapValues(JSONValue.string)),
        ]
    }

    /// The form of ``json(links:)``.
    package static let rule = ValueRule.shared(
        "Interaction",
        .members([
            .required("id", .text(.nonEmpty), "The interaction's id."),
            .required(
                "request",
                .orNull(.text(.nonEmpty)),
                "The position of its request, partition:offset; null until it has been read back."
            ),
            .required("state", .oneOf(State.self), "What the interaction waits for."),
            .required("revision", .integer(minimum: 0), "Raised by every event of the interaction."),
            .required("intent", .orNull(.text(.any)), "The intent's name."),
            .required("requestedAt", .text(.any), "When it was requested."),
            .required("updatedAt", .text(.any), "The time of its latest event."),
            .required("endedAt", .orNull(.text(.any)), "When it ended; null before."),
            .required("prompt", .orNull(Self.data(of: .promptIssued)), "The open prompt; null where none is open."),
            .required(
                "response",
                .orNull(Self.data(of: .intentResponded)),
                "The latest response, terminal or not; null before the first."
            ),
            .required("update", .orNull(Self.data(of: .statusUpdated)), "The latest news after the end."),
            .required("activities", .list(Self.data(of: .userActivityCreated)), "What an app needs to continue."),
            .required("rejection", .orNull(Self.data(of: .eventRejected)), "The latest event that was rejected."),
            .required(
                "links",
                .members([
                    .required("self", .text(.any), "The address of the interaction."),
                    .optional("confirm", .text(.any), "Where the user confirms what an agent may not confirm."),
                ]),
                "Addresses."
            ),
        ])
    )

    private static func data(of type: EventType) -> ValueRule {
        .shared(type.rawValue, .object(EventRule.of(type).data))
    }
}
