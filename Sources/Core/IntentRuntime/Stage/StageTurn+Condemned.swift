internal import IntentEvents
internal import IntentKit

/// The end of a turn whose handler has ended its process too often (R56).
///
/// No foreign code is called: no handler, no presenter, no type of a handler's own.
extension StageTurn {
    /// Ends the interaction that the turn would have acted on, with the effects that it has made already.
    ///
    /// - Throws: `JournaledError` when the store cannot be reached.
    func end(condemnedAs verdict: CrashVerdict) async throws {
        guard try await !self.giveUpCondemnedUndo(verdict) else { return }
        if let interaction = self.condemnedInteraction() {
            guard !self.turn.mayHavePosted(interaction, self.turn.parkedTurn()?.steps ?? []) else {
                self.keepOpen(interaction)
                return
            }
            try await self.turn.act(on: interaction) { interaction in
                guard self.turn.event.followedRequest == nil, !self.turn.canUndo(interaction) else { return }
                try await self.turn.closeLedger(of: interaction)
            }
        }
        await self.fail(CrashedTurnError(verdict: verdict))
    }

    /// Makes an interaction wait for an operator whose post may have been received, and gives its turn up (R76).
    private func keepOpen(_ interaction: Interaction) {
        let parked = self.turn.parkedTurn().flatMap { $0.interactionID == interaction.id ? $0 : nil }
        self.turn.act(on: interaction) { self.turn.waitForOperator(&$0, of: parked) }
        guard let parked, parked.event.position != self.turn.input.stored.position else { return }
        self.turn.removeState(StateName.parked)
        self.turn.endsParked = true
    }

    /// The interaction on which the event would have acted; nil when there is none.
    private func condemnedInteraction() -> Interaction? {
        guard let type = self.turn.event.knownType, self.turn.input.stored.position.topic != .requests || type.isInbound
        else {
            return nil
        }
        switch type {
        case .intentRequested, .appResponded:
            return self.condemnedInteraction(type)
        case .interactionReturned, .intentResolved, .intentConfirmed:
            guard var interaction = self.turn.event.interaction else { return nil }
            interaction.turns += 1
            return interaction
        case .promptAnswered:
            guard let promptID = self.turn.event.promptID,
                promptID.stage == self.turn.stage, let known = self.turn.known(promptID.interaction)
            else { return nil }
            let interaction = self.turn.openInteraction(request: known.request)
            return interaction?.prompt?.number == promptID.number ? interaction : nil
        case .interactionResumed:
            guard let interaction = self.turn.event.request.flatMap(self.turn.openInteraction(request:)),
                interaction.prompt?.id(interaction: interaction.id, stage: self.turn.stage) == self.turn.event.promptID
            else { return nil }
            return interaction
        case .timerFired:
            return self.condemnedTimersInteraction()
        case .operatorDecided:
            return self.turn.event.subject.flatMap(self.turn.known)
                .flatMap { self.turn.openInteraction(request: $0.request) }
        case .interactionCancelled, .operatorActed:
            // For a parked turn only this event fails, as with any cancellation.
            guard let id = self.turn.event.subject, self.turn.parkedTurn()?.interactionID != id,
                let known = self.turn.known(id)
            else {
                return nil
            }
            return self.turn.openInteraction(request: known.request)
        case .promptRecalled, .followUpScheduled, .deviceUnlocked, .userAuthenticated, .vocabularyReplaced,
            .vocabularyRemoved, .promptIssued, .intentResponded, .statusUpdated, .userNotified, .eventRejected,
            .userActivityCreated, .turnJournaled:
            return nil
        }
    }

    private func condemnedTimersInteraction() -> Interaction? {
        if let parked = self.turn.timedParkedTurn() { return self.turn.interaction(of: parked) }
        let data = self.turn.event.data
        guard let deadline = data["deadline"]?.string.flatMap(Timestamp.init),
            let interaction = self.turn.event.request.flatMap(self.turn.openInteraction(request:))
        else { return nil }
        switch data["what"]?.string.flatMap(TimerKind.init(rawValue:)) {
        case .prompt: return interaction.prompt?.expiresAt == deadline ? interaction : nil
        case .app: return interaction.appDeadline == deadline ? interaction : nil
        case .again: return interaction.waiting?.at == deadline ? interaction : nil
        case .resume: return interaction.waiting?.heldAt == deadline ? interaction : nil
        case .inProgress, .timeout, .retry, .status, .followUp, .unreadable, .undo, nil: return nil
        }
    }
}

/// A turn has ended its process too often.
struct CrashedTurnError: Error, CustomStringConvertible {
    var verdict: CrashVerdict

    var description: String { self.verdict.description }
}

extension CrashVerdict {
    /// What happened, for operators.
    var description: String {
        let what = self.isUndecoded ? "was read" : "was processed"
        return "\(self.deaths) processes died while this event \(what)."
    }
}
