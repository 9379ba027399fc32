internal import IntentEvents
internal import IntentKit

/// Operators' decisions about posts whose outcome is unknown (R76).
extension HandleTurn {
    /// Ends an interaction that waits for an operator, or has it posted once more.
    func receiveDecision() async throws {
        guard let decision = self.turn.decision(), let id = self.turn.event.subject else { return }
        guard let known = self.turn.known(id) else {
            self.turn.reject(.unknown, "User \(self.turn.event.userID) has no open interaction \(id).")
            return
        }
        guard let interaction = self.turn.waitingInteraction(request: known.request),
            let wait = interaction.waiting, wait.reason == .operator,
            interaction.request == decision.request, wait.attempts == decision.attempts
        else {
            self.turn.reject(.late, "Interaction \(id) does not wait for this decision any more.")
            return
        }
        guard decision.outcome != .notDone else {
            try await self.post(again: interaction, after: wait)
            return
        }
        guard let response = self.response(decision, interaction) else {
            let code = decision.code ?? "missing"
            let kind = decision.outcome == .failed ? "a failure" : "a success, or continues in the app"
            self.turn.reject(.invalid, "data.code is \(code); it is one of the intent's codes that is \(kind).")
            return
        }
        try await self.turn.act(on: interaction) { interaction in
            interaction.waiting = nil
            try await self.end(&interaction, with: response)
        }
    }

    /// The response with which the interaction ends; nil when its code does not fit.
    private func response(_ decision: OperatorDecision, _ interaction: Interaction) -> HandlerResponse? {
        guard let code = decision.code, OperatorDecision.fits(code, decision.outcome),
            self.turn.registered(interaction)?.registration.codes.contains(code) ?? true
        else { return nil }
        var response = HandlerResponse(code: code, details: decision.details)
        response.dialog = decision.dialog.map { LocalizedText($0) }
        return response
    }

    /// Performs the task once more, as if nothing had been posted.
    private func post(again interaction: Interaction, after wait: HandleWait) async throws {
        var wait = wait
        if let mark = self.turn.registered(interaction)?.registration.postMark { wait.clear(mark) }
        try await self.turn.act(on: interaction) { [wait] interaction in
            interaction.waiting = nil
            guard try await !self.endIfOverdue(&interaction) else { return }
            self.turn.resume(after: wait, interaction)
            try await self.handleAgain(&interaction)
        }
    }
}

extension Turn {
    /// The event's decision, which an operator has made; nil when it is invalid, and rejected.
    func decision() -> OperatorDecision? {
        guard let decision = OperatorDecision(data: self.event.data), self.event.subject != nil else {
            self.reject(.invalid, "A decision names its interaction (ce_subject), and what was decided.")
            return nil
        }
        let isProved = self.environment.redrive.verdict(onDecision: self.event)
        self.record.isDecided = isProved
        guard isProved else {
            self.reject(.invalid, "Only operators decide what became of a post: intentd waiting decide.")
            return nil
        }
        return decision
    }
}
