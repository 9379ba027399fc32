package import IntentEvents

/// What a turn writes, before ids are given out: they depend on the generation (R7).
package enum TurnOutput: Hashable, Sendable {
    /// An event of intentd's own.
    case event(Topic, EventDraft)
    /// The turn's own event, unchanged, to a partition of a topic; with a stage when it goes to `signals`.
    case forward(Topic, partition: Int, stage: Stage?)
    /// The turn's own event, to dead letters.
    case deadLetter(error: String, detail: String)
}

/// An event of which only the id is missing.
package struct EventDraft: Hashable, Sendable {
    /// The type.
    package var type: EventType
    /// When it happened.
    package var time: Timestamp
    /// The interaction's id.
    package var subject: InteractionID?
    /// The position of the interaction's request.
    package var request: RequestID?
    /// The user.
    package var userID: UserID
    /// The stage that a signal is addressed to.
    package var stage: Stage?
    /// Headers carried along.
    package var passedThrough: [String: String]
    /// The data's JSON text.
    package var value: [UInt8]
}
