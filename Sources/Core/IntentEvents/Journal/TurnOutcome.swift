package enum TurnOutcome: String, Sendable, CaseIterable {
    /// The event belongs to another partition or stage, and was forwarded unchanged.
    case forwarded
    /// The event had no effect and needs no answer: a retried request, a timer that is no longer current.
    case ignored
    /// The event had nothing to act on, and its sender was notified.
    case rejected
    /// There was no room for the event behind a parked turn, and its sender was notified (R5).
    case refused
    /// The event could not be processed at all and went to dead letters.
    case deadLettered
    case prompted
    /// The interaction went to the next stage.
    case passed
    /// The interaction went back to be resolved again.
    case returned
    /// The interaction has its terminal response.
    case ended
    /// The handler is still running; the turn continues as a continuation.
    case parked
    /// The user was notified that it takes longer.
    case reported
    /// Something else was stored: a vocabulary, a device's state.
    case noted
}
