package import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The interaction and the user to which something belongs, as far as they are known.
package struct InteractionReference: Hashable, Sendable {
    package var interactionID: InteractionID?
    package var userID: UserID?
    package var intent: String?

    package init(interactionID: InteractionID? = nil, userID: UserID? = nil, intent: String? = nil) {
        self.interactionID = interactionID
        self.userID = userID
        self.intent = intent
    }

    /// The interaction on which a turn acted.
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
