package import IntentEvents
package import IntentKit

/// An interaction that has ended, but has status updates to come (`status.updated`).
package struct FollowedInteraction: Hashable, Sendable, JSONReadable {
    /// The interaction as it was at its end.
    package var interaction: Interaction
    /// The details of the last update.
    package var reported: JSONObject
    /// When the handler is called again.
    package var dueAt: Timestamp
    /// When the updates end.
    package var until: Timestamp

    /// Starts to follow an interaction, or continues.
    package init(interaction: Interaction, reported: JSONObject, dueAt: Timestamp, until: Timestamp) {
        self.interaction = interaction
        self.reported = reported
        self.dueAt = dueAt
        self.until = until
    }

    /// The form in state.
    package var json: JSONValue {
        [
            "dueAt": .integer(self.dueAt.milliseconds),
            "interaction": self.interaction.json,
            "told": .object(self.reported),
            "until": .integer(self.until.milliseconds),
        ]
    }

    package init?(_ json: JSONView) {
        guard let interaction = json["interaction"].flatMap(Interaction.init(_:)),
            let dueAt = json["dueAt"]?.integer, let until = json["until"]?.integer
        else { return nil }
        self.interaction = interaction
        self.reported = json["told"]?.value.object ?? [:]
        self.dueAt = Timestamp(milliseconds: dueAt)
        self.until = Timestamp(milliseconds: until)
    }
}
