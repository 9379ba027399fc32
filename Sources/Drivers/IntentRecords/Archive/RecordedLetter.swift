package import IntentEvents

/// A dead letter: a row of `dead_letters` (R39).
package struct RecordedLetter: Hashable, Sendable {
    package var position: RecordPosition
    /// When it was written.
    package var timestamp: Timestamp
    /// The kind of error.
    package var error: String?
    package var detail: String?
    /// The user, if known.
    package var userID: UserID?
    package var type: String?
    /// The position of the event: `topic/partition/offset`.
    package var origin: String?
    /// The last interaction as which its request was sent again; nil when it was not.
    package var again: InteractionID?
    /// The size of its value in bytes.
    package var size: Int
}
