internal import IntentEvents
internal import IntentKit

extension StageTurn {
    /// Ends an interaction because the user gives up (R5) or an operator ends it (R82), if need be after what was done is
    /// undone (R75); finds its owner first (R12).
    func cancel(_ reason: EndReason = .abortedByUser) async throws {
        guard let id = self.turn.event.subject else {
            self.turn.reject(.invalid, "A cancellation names its interaction: set ce_subject to the interaction's id.")
            return
        }
        if let parked = self.turn.parkedTurn(), parked.interactionID == id,
            let interaction = self.turn.interaction(of: parked)
        {
            try await self.cancelParked(interaction, reason)
            return
        }
        let known = self.turn.known(id)
        if let known, let interaction = self.turn.openInteraction(request: known.request) {
            guard !self.turn.mayHavePosted(interaction) else {
                self.rejectAsOpen(interaction)
                return
            }
            let isEnded = try await self.turn.act(on: interaction) { interaction in
                guard let effects = try await self.effectsOfGivenUp(interaction) else { return false }
                self.giveUp(&interaction, effects, reason)
                return true
            }
            guard !isEnded else { return }
            self.turn.detachInteraction()
            self.turn.reject(.late, "Something has been done already: interaction \(id) can't be cancelled any more.")
            return
        }
        if known == nil, self.cancelFollowUp(id) { return }
        switch known?.whereabouts {
        case .ended:
            let until = known?.undoableUntil.flatMap { self.turn.now < $0 ? $0 : nil }
            self.turn.reject(
                .late,
                "Interaction \(id) has ended already.",
                undo: until.map { UndoInteraction.offer(of: id, until: $0) }
            )
        case .returned:
            self.turn.forward(to: .signals, stage: .resolve)
        case .here, .passed, nil:
            guard !self.turn.forwardToNextStage() else { return }
            self.turn.reject(.unknown, "User \(self.turn.event.userID) has no open interaction \(id).")
        }
    }

    /// Cancels the interaction of a turn that is still running, unless an effect has happened.
    ///
    /// It ends with the parked turn or with this one: a failing cancellation does not affect the parked turn.
    private func cancelParked(_ interaction: Interaction, _ reason: EndReason) async throws {
        guard !self.turn.mayHavePosted(interaction, self.turn.parkedTurn()?.steps ?? []) else {
            self.rejectAsOpen(interaction)
            return
        }
        guard let effects = try await self.effectsOfGivenUp(interaction) else {
            self.turn.reject(
                .late,
                "Something has been done already: interaction \(interaction.id) can't be cancelled."
            )
            return
        }
        self.turn.act(on: interaction) { self.giveUp(&$0, effects, reason) }
        self.turn.removeState(StateName.parked)
        self.turn.endsParked = true
    }

    /// The effects that have to be undone before an interaction ends whose user gives up; none after its ledger was closed.
    ///
    /// - Returns: Nil when it cannot end: an effect has happened that cannot be undone, or it is being undone already.
    private func effectsOfGivenUp(_ interaction: Interaction) async throws -> [MadeEffect]? {
        guard interaction.undoing == nil else { return nil }
        guard try await !self.turn.closeLedgerUnlessEffects(of: interaction) else { return [] }
        let effects = try await self.turn.effectsToUndo(of: interaction)
        return effects.isEmpty ? nil : effects
    }

    private func giveUp(_ interaction: inout Interaction, _ effects: [MadeEffect], _ reason: EndReason) {
        if !self.turn.startUndoing(effects, of: &interaction, before: reason) {
            self.turn.conclude(&interaction, reason)
        }
    }

    /// Rejects a cancellation as long as it is not known what was done (R76).
    private func rejectAsOpen(_ interaction: Interaction) {
        self.turn.reject(
            .late,
            "Something may have been done already: interaction \(interaction.id) can't be cancelled any more."
        )
    }
}
