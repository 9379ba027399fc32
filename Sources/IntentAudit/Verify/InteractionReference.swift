package import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Whose something is: an interaction's and its user's, as far as that can be told.
package struct InteractionReference: Hashable, Sendable {
    /// The interaction.
    package var interactionID: InteractionID?
    /// The user.
    package var userID: UserID?
    /// The intent's name.
    package var intent: String?

    /// Names an interaction.
    package init(interactionID: InteractionID? = nil, userID: UserID? = nil, intent: String? = nil) {
        self.interactionID = interactionID
        self.userID = userID
        self.intent = intent
    }

    /// The interaction that a turn acted on.
    init(_ turn: TurnRecord) {
        self.init(interactionID: turn.interactionID, userID: turn.userID, intent: turn.intentName)
    }

    /// The interaction that an event is about.
    init(_ event: Event) {
        let prompt = event.data["promptId"]?.string.flatMap { PromptID($0) }
        self.init(
            interactionID: event.subject ?? prompt?.interaction,
            userID: event.userID,
            intent: event.data["intent"]?["name"]?.string
        )
    }
}
