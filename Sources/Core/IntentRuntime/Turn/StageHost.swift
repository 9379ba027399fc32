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

    /// Begins a round of an interaction that goes back to the user, and returns the names of its effects (R72d).
    func fence(request: RequestID, round: Int) async throws -> [String]

    /// Counts the effects in an interaction's ledger as made in this turn, and leaves the ledger as it is.
    func adoptEffects(request: RequestID) async throws

    /// Continues the turn of another event: its ids and random numbers follow from that event's position, and the steps
    /// that it has committed are known.
    func adopt(_ identifiers: TurnIdentifiers, attempt: Int, steps: [CommittedStep])

    /// The values that words mean, the likeliest first (R73).
    func understand(_ query: SpokenQuery) -> [SpokenMeaning]

    /// What the handler sends with its response (R77).
    var followUps: FollowUpList { get }

    /// The reads so far, in the order in which they began.
    var reads: [JournalRead] { get }

    /// The names of the effects that were made, in order.
    var effectNames: [String] { get }

    /// Whether each try of a turn follows at once: then no interaction waits for the next one by itself (R76).
    var triesAtOnce: Bool { get }
}

extension StageHost {
    package var triesAtOnce: Bool { false }
}
