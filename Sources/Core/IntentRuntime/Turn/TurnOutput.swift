package import IntentEvents

/// An output of a turn, before ids are assigned: they depend on the generation (R7).
package enum TurnOutput: Hashable, Sendable {
    /// An event of intentd's own.
    case event(Topic, EventDraft)
    /// The turn's own event, unchanged, to a partition of a topic; with a stage when it goes to `signals`.
    case forward(Topic, partition: Int, stage: Stage?)
    /// The turn's own event, to dead letters.
    case deadLetter(error: String, detail: String)

    /// The topic to which it is written.
    package var topic: Topic {
        switch self {
        case .event(let topic, _), .forward(let topic, _, _): topic
        case .deadLetter: .deadLetters
        }
    }
}
