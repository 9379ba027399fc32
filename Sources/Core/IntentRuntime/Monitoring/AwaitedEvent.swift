internal import IntentEvents
internal import IntentKit

/// What an open interaction waits for, for the metrics and traces of its time (R80).
struct AwaitedEvent: Sendable {
    let state: InteractionState
    private let since: Timestamp
    /// The number of the prompt; nil where something else is waited for.
    private let prompt: Int?

    /// Nil when nobody is waited for, or when it is not known since when.
    ///
    /// - Parameters:
    ///   - interaction: The interaction before the turn.
    ///   - keptAt: When it was kept last: the end of the turn since which it waits.
    init?(_ interaction: Interaction, keptAt: @autoclosure () -> Timestamp?) {
        if let prompt = interaction.prompt, let since = prompt.issuedAt {
            self.state =
                switch prompt.kind {
                case .unlockRequired: .awaitingUnlock
                case .authenticationRequired: .awaitingSignIn
                case .needsValue, .disambiguation, .confirmationRequired, .unsupported, .intentConfirmation:
                    .awaitingUser
                }
            self.since = since
            self.prompt = prompt.number
        } else if interaction.appDeadline != nil, let since = keptAt() {
            (self.state, self.since, self.prompt) = (.awaitingApp, since, nil)
        } else if interaction.waiting?.reason == .operator, let since = keptAt() {
            (self.state, self.since, self.prompt) = (.awaitingOperator, since, nil)
        } else if let heldAt = interaction.waiting?.heldAt {
            (self.state, self.since, self.prompt) = (.paused, heldAt, nil)
        } else {
            return nil
        }
    }

    /// How long it was waited for, if that ends with an event; nil if it does not.
    ///
    /// - Parameters:
    ///   - interaction: The interaction after the turn; nil when it had none.
    ///   - event: The event of the turn.
    ///   - record: The turn's record.
    /// - Returns: The state with its beginning and end.
    func end(_ interaction: Interaction?, _ event: StoredRecord, of record: TurnDraft) -> InteractionTime? {
        guard let interaction else { return nil }
        let isOpen =
            switch self.state {
            case .paused: interaction.waiting?.heldAt == self.since
            case .awaitingApp: interaction.appDeadline != nil
            case .awaitingOperator: interaction.waiting?.reason == .operator
            default: interaction.prompt?.number == self.prompt
            }
        guard record.outcome == .ended || !isOpen else { return nil }
        // What was written before the turn began has waited in the log since; a timer ends the wait itself.
        let isTimer = record.eventType == EventType.timerFired.rawValue
        let time = isTimer ? record.at : min(event.timestamp, record.at)
        return InteractionTime(state: self.state, since: self.since, until: max(self.since, time))
    }
}

/// A part of an interaction's time.
struct InteractionTime: Hashable, Sendable {
    var state: InteractionState
    var since: Timestamp
    /// Never before ``since``.
    var until: Timestamp

    var nanoseconds: Int64 { (self.until - self.since) * 1_000_000 }
}
