package import IntentEvents
package import IntentKit

/// A turn host that the stage itself uses too.
package protocol StageHost: TurnHost {
    /// The present time; in a replay the recorded time.
    func currentTime() -> Timestamp

    /// Closes an interaction's effect ledger at its end, and counts the effects in it as made in this turn (R30); keeps what
    /// its user may undo (R75).
    func endLedger(request: RequestID, offering offer: UndoOffer?) async throws

    /// Closes an interaction's effect ledger (R5).
    ///
    /// Returns whether it is closed now.
    func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool

    /// Begins a round of an interaction, if its effects are all among the names, and returns its effects (R72d).
    func fence(request: RequestID, round: Int, among names: Set<String>?) async throws -> [MadeEffect]

    /// The recorded result of an effect that is to be undone; nil when it was undone already, or never made.
    func result(of effect: MadeEffect, from origin: RequestID) async throws -> JSONValue?

    /// Undoes effects in one transaction, each once (R75); the body gets an effect's index and recorded result.
    func undo(
        _ effects: [MadeEffect],
        from origin: RequestID,
        _ body: @escaping @Sendable (Int, JSONValue, any StoreTransaction) throws -> Void
    ) async throws -> UndoOutcome

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

/// What an undo came to.
package enum UndoOutcome: Hashable, Sendable {
    case undone
    /// The effects cannot be undone any more, and stay; the reason is in the user's language.
    case refused(String)
    /// One of them is not there any more; the others stay.
    case gone
}

extension UndoOutcome {
    /// Reads the form in the journal.
    package init(json: JSONValue) {
        if let reason = json["refused"]?.string {
            self = .refused(reason)
        } else {
            self = json["gone"] == nil ? .undone : .gone
        }
    }
}

extension StageHost {
    package var triesAtOnce: Bool { false }
}
