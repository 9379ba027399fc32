package import IntentEvents

/// A dead letter: a row of `dead_letters` (R39).
package struct RecordedLetter: Hashable, Sendable {
    /// Where it stands.
    package var position: RecordPosition
    /// When it came there.
    package var timestamp: Timestamp
    /// Why, in a word.
    package var error: String?
    /// Why, in words.
    package var detail: String?
    /// The user, if that could be told.
    package var userID: UserID?
    /// The event's type.
    package var type: String?
    /// Where the event stood: `topic/partition/offset`.
    package var origin: String?
    /// How many bytes its value has.
    package var size: Int
}
