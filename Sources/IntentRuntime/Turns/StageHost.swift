package import IntentEvents
package import IntentKit

/// A turn host that the stage itself uses too.
package protocol StageHost: TurnHost {
    /// The present time; in a replay the recorded time.
    func currentTime() -> Timestamp

    /// Closes an interaction's effect ledger (R30).
    ///
    /// Returns whether it is closed now.
    func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool

    /// Counts the effects that the interaction has made already as made in this turn (R56).
    func adoptEffects(request: RequestID) async throws

    /// The reads so far, in the order in which they began.
    var reads: [JournalRead] { get }

    /// The names of the effects that were made, in order.
    var effectNames: [String] { get }
}
