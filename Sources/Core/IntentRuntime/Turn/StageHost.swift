package import IntentEvents
package import IntentKit

/// A turn host that the stage itself uses too.
package protocol StageHost: TurnHost {
    /// The present time; in a replay the recorded time.
    func currentTime() -> Timestamp

    /// Closes an interaction's effect ledger at its end, and counts the effects in it as made in this turn (R30).
    func endLedger(request: RequestID) async throws

    /// Closes an interaction's effect ledger (R5).
    ///
    /// Returns whether it is closed now.
    func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool

    /// Counts the effects in an interaction's ledger as made in this turn, and leaves the ledger as it is.
    func adoptEffects(request: RequestID) async throws

    /// The reads so far, in the order in which they began.
    var reads: [JournalRead] { get }

    /// The names of the effects that were made, in order.
    var effectNames: [String] { get }
}
