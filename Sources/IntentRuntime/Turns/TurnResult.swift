package import IntentEvents

/// What a turn comes to: a value that can be committed now or later.
package struct TurnResult: Hashable, Sendable {
    /// The event that was processed.
    package var stored: StoredRecord
    /// State entries to be written, as JSON text; nil removes one.
    package var writes: [String: [UInt8]?]
    /// Deadlines of the entries that are written.
    package var timers: [PendingTimer]
    /// What goes out, in order.
    package var outputs: [TurnOutput]
    /// The journal's record, without outputs and digests.
    package var record: TurnRecord
    /// When the turn is to be tried again, if it is.
    package var retryAt: Timestamp?
    /// Whether the parked turn of this user is over with this one: cancelled, or timed out.
    package var endsParked: Bool
}
