package import IntentEvents
package import IntentKit

/// A turn host that the stage itself uses too.
package protocol StageHost: TurnHost {
    /// The present time; a replay answers what it was then.
    func currentTime() -> Timestamp

    /// Ends an interaction's effect ledger (R30). Returns whether it is closed now.
    func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool

    /// Notes the effects that the interaction has made already as made in this turn (R56).
    func adoptEffects(request: RequestID) async throws

    /// What was read so far, in the order in which it was asked for.
    var reads: [JournalRead] { get }

    /// The names of the effects that were made, in order.
    var effectNames: [String] { get }
}
