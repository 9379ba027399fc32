internal import IntentEvents
internal import IntentKit

/// What operators do with interactions (R82).
extension StageTurn {
    /// Carries out an operator's act, in the stage that owns the interaction.
    func receiveAct() async throws {
        let act = OperatorAct(self.turn.event)
        switch act?.kind {
        case .cancel where act?.interaction != nil: try await self.cancel(.abortedByOperator)
        case .retry where act?.interaction != nil: try await self.retryNow()
        case .pause, .resume: if let act { self.receivePause(act) }
        case .cancel, .retry, nil:
            self.turn.reject(.invalid, "Unknown act, or an act that names no interaction.")
        case .redrive, .handled, .decide, .vocabulary, .leave, .prune: self.turn.record.outcome = .ignored
        }
    }

    /// Begins the next attempt of an interaction before its time; finds its owner first.
    private func retryNow() async throws {
        guard let id = self.turn.event.subject else { return }
        // A retry that fails is tried again as any other turn: the parked turn is its own then.
        if var parked = self.turn.parkedTurn(), parked.interactionID == id,
            parked.event.position != self.turn.input.stored.position
        {
            guard parked.retryAt != nil else {
                self.rejectRetry(id, "attempt \(parked.attempt) is running")
                return
            }
            self.turn.awaited = AwaitedEvent(parked)
            parked.tryAgain()
            self.turn.setState(StateName.parked, parked)
            self.turn.name(interactionOf: parked)
            self.turn.record.outcome = .parked
            return
        }
        let known = self.turn.known(id)
        if let known, let interaction = self.turn.waitingInteraction(request: known.request),
            let wait = interaction.waiting
        {
            switch wait.reason {
            case .operator: return self.rejectRetry(id, "it waits for an operator's decision")
            case .paused: return self.rejectRetry(id, "its intent is paused")
            case .retry, .lookup: break
            }
            try await self.resume(interaction, after: wait)
            return
        }
        if let known, self.turn.openInteraction(request: known.request) != nil {
            self.rejectRetry(id, "it waits for the user or the app")
            return
        }
        switch known?.whereabouts {
        case .ended: self.rejectRetry(id, "it has ended")
        case .returned: self.turn.forward(to: .signals, stage: .resolve)
        case .here, .passed, nil:
            guard !self.turn.forwardToNextStage() else { return }
            self.turn.reject(.unknown, "User \(self.turn.event.userID) has no open interaction \(id).")
        }
    }

    private func rejectRetry(_ id: InteractionID, _ reason: String) {
        self.turn.reject(.late, "Interaction \(id) has no attempt to begin: \(reason).")
    }

    /// Continues an interaction that waits by itself, at its time or at once.
    func resume(_ interaction: Interaction, after wait: HandleWait) async throws {
        try await self.turn.act(on: interaction) { interaction in
            if self.overdueReason(interaction) != nil, self.turn.mayHavePosted(interaction) {
                self.turn.waitForOperator(&interaction)
                return
            }
            guard try await !self.endIfOverdue(&interaction) else { return }
            interaction.waiting = nil
            self.turn.resume(after: wait, interaction)
            try await self.handleAgain(&interaction)
        }
    }
}
