package import IntentEvents
internal import IntentKit

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

    /// Whether something that it would write is larger than that, headers left out.
    func hasOutput(largerThan limit: Int) -> Bool {
        let outputs = self.outputs.contains { output in
            if case .event(_, let draft) = output { draft.value.count > limit } else { false }
        }
        if outputs || self.writes.values.contains(where: { ($0?.count ?? 0) > limit }) { return true }
        // Only what may be too much is written to find out.
        return !self.record.reads.isEmpty && self.record.json.maximumTextSize > limit
            && self.record.json.utf8.count > limit
    }
}
