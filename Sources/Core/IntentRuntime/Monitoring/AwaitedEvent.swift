internal import IntentEvents
internal import IntentKit

/// What an open interaction waits for, for the metrics and traces of its time (R80).
struct AwaitedEvent: Sendable {
    /// What distinguishes this wait from the next one of its kind.
    private enum Wait: Sendable {
        /// The number of the prompt.
        case prompt(Int)
        case app
        case `operator`
        case pause
        /// The number of tries before the interaction waited for the next one by itself.
        case retry(Int)
        /// The parked turn waits for its next try.
        case parkedRetry
    }

    let state: InteractionState
    private let since: Timestamp
    private let wait: Wait

    private init(_ state: InteractionState, since: Timestamp, _ wait: Wait) {
        self.state = state
        self.since = since
        self.wait = wait
    }

    /// Nil when nobody is waited for, or when it is not known since when.
    ///
    /// - Parameters:
    ///   - interaction: The interaction before the turn.
    ///   - keptAt: When it was kept last: the end of the turn since which it waits.
    init?(_ interaction: Interaction, keptAt: @autoclosure () -> Timestamp?) {
        if let prompt = interaction.prompt, let since = prompt.issuedAt {
            let state: InteractionState =
                switch prompt.kind {
                case .unlockRequired: .awaitingUnlock
                case .authenticationRequired: .awaitingSignIn
                case .needsValue, .disambiguation, .confirmationRequired, .unsupported, .intentConfirmation:
                    .awaitingUser
                }
            self.init(state, since: since, .prompt(prompt.number))
        } else if interaction.appDeadline != nil, let since = keptAt() {
            self.init(.awaitingApp, since: since, .app)
        } else if let wait = interaction.waiting {
            guard let since = wait.heldAt ?? keptAt() else { return nil }
            switch wait.reason {
            case .retry, .lookup: self.init(.retrying, since: since, .retry(wait.attempts))
            case .operator: self.init(.awaitingOperator, since: since, .operator)
            case .paused: self.init(.paused, since: since, .pause)
            }
        } else {
            return nil
        }
    }

    /// Nil when the parked turn does not wait for its next try, or when it is not known since when.
    init?(_ parked: ParkedTurn) {
        guard parked.retryAt != nil, let since = parked.failedAt else { return nil }
        self.init(.retrying, since: since, .parkedRetry)
    }

    /// How long it was waited for, if the turn ends the wait; nil if it does not.
    ///
    /// - Parameters:
    ///   - interaction: The interaction after the turn; nil when it had none.
    ///   - input: The event of the turn.
    ///   - record: The turn's record.
    ///   - endsParked: Whether the turn ends the parked one.
    /// - Returns: The state with its beginning and end.
    func end(
        _ interaction: Interaction?,
        _ input: TurnInput,
        of record: TurnDraft,
        endsParked: Bool
    ) -> InteractionTime? {
        guard record.outcome == .ended || !self.isOpen(after: interaction, record, endsParked) else { return nil }
        let began = input.firstTriedAt ?? record.at
        // What was written before the turn began has waited in the log since; a timer ends the wait itself.
        let endsWhenWritten = self.state.isAwaiting && record.eventType != EventType.timerFired.rawValue
        let time = endsWhenWritten ? min(input.stored.timestamp, began) : began
        return InteractionTime(state: self.state, since: self.since, until: max(self.since, time))
    }

    private func isOpen(after interaction: Interaction?, _ record: TurnDraft, _ endsParked: Bool) -> Bool {
        let isOpen: Bool? =
            switch self.wait {
            case .prompt(let number): interaction.map { $0.prompt?.number == number }
            case .app: interaction.map { $0.appDeadline != nil }
            case .operator: interaction.map { $0.waiting?.reason == .operator }
            case .pause: interaction.map { $0.waiting?.heldAt == self.since }
            case .retry(let attempts):
                interaction.map { $0.waiting?.firstAttempt != nil && $0.waiting?.attempts == attempts }
            case .parkedRetry: record.outcome != .parked && !endsParked
            }
        return isOpen ?? true
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
