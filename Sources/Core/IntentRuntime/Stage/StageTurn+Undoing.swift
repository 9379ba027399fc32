internal import IntentEvents
internal import IntentKit

/// The turns that undo the effects of an interaction, one effect each (R75).
///
/// Each is begun by a timer, so that a process that ends in one of them is counted for its effect alone (R56).
extension StageTurn {
    /// Undoes the next effect, if the timer is still current.
    func undoNext(request: RequestID, deadline: Timestamp) async throws {
        guard let interaction = self.turn.undoneInteraction(request: request), interaction.undoing?.dueAt == deadline
        else { return }
        try await self.turn.act(on: interaction) { try await self.undoNext(of: &$0) }
    }

    private func undoNext(of interaction: inout Interaction) async throws {
        guard var undoing = interaction.undoing, let effect = undoing.left.first else {
            try await self.continueUndoing(&interaction)
            return
        }
        guard let entry = self.turn.registered(interaction), entry.registration.undos[effect.name] != nil else {
            undoing.fail(Undoing.Cause.noHandler.rawValue, at: self.turn.now)
            interaction.undoing = undoing
            try await self.continueUndoing(&interaction)
            return
        }
        self.turn.recordHandler(entry)
        do {
            let outcome = try await self.turn.undo(
                [effect],
                from: interaction.origin,
                of: interaction.intent,
                entry.registration.undos,
                by: interaction
            )
            switch outcome {
            case .undone: undoing.succeed(at: self.turn.now)
            case .refused(let reason): undoing.fail(reason, at: self.turn.now)
            case .gone: undoing.skip(at: self.turn.now)
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as LedgerClosedError {
            throw error
        } catch let error as ForeignRequestError {
            throw error
        } catch {
            guard !Task.isCancelled else { throw error }
            self.turn.handlerAnswered()
            self.recordFailedUndo(error, &undoing, of: interaction)
        }
        interaction.undoing = undoing
        try await self.continueUndoing(&interaction)
    }

    /// Has a failed undo tried again, or gives it up.
    private func recordFailedUndo(_ error: any Error, _ undoing: inout Undoing, of interaction: Interaction) {
        var failure = TurnFailure(error, isFinal: true)
        if let retryAt = self.turn.undoRetry(after: error, undoing, of: interaction) {
            failure.isFinal = false
            failure.retryAt = retryAt
            undoing.retry(at: retryAt)
        } else {
            let isTransient = (error as? JournaledError)?.isTransient ?? (error is any TransientError)
            let cause: Undoing.Cause = isTransient ? .gaveUp : .failed
            undoing.fail(failure.clientMessage ?? cause.rawValue, at: self.turn.now)
        }
        self.turn.failure = failure
    }

    /// Has an undo tried again that has taken too long, or gives it up.
    func undoTimedOut(_ interaction: inout Interaction) async throws {
        guard var undoing = interaction.undoing else { return }
        if let retryAt = self.turn.undoRetry(after: nil, undoing, of: interaction) {
            undoing.retry(at: retryAt)
        } else {
            undoing.fail(Undoing.Cause.gaveUp.rawValue, at: self.turn.now)
        }
        interaction.undoing = undoing
        try await self.continueUndoing(&interaction)
    }

    /// Gives up the undo of which the turn has ended its process too often.
    ///
    /// - Returns: Whether the event is the timer of an undo.
    func giveUpCondemnedUndo(_ verdict: CrashVerdict) async throws -> Bool {
        let data = self.turn.event.data
        guard self.turn.event.knownType == .timerFired, data["what"]?.string == TimerKind.undo.rawValue,
            let deadline = data["deadline"]?.string.flatMap(Timestamp.init),
            let interaction = self.turn.event.request.flatMap(self.turn.undoneInteraction(request:)),
            interaction.undoing?.dueAt == deadline
        else { return false }
        try await self.turn.act(on: interaction) { interaction in
            interaction.undoing?.fail(Undoing.Cause.crashed.rawValue, at: self.turn.now)
            try await self.continueUndoing(&interaction)
        }
        let failure = TurnFailure(CrashedTurnError(verdict: verdict), isFinal: true)
        self.turn.failure = failure
        self.turn.output(.deadLetter(error: EventDecodingError.Code.crashed.rawValue, detail: failure.message))
        return true
    }

    /// Waits for the timer of the next undo; after the last one the interaction ends, or goes back to the user.
    private func continueUndoing(_ interaction: inout Interaction) async throws {
        guard let undoing = interaction.undoing else { return }
        guard undoing.left.isEmpty else {
            self.turn.keep(interaction)
            self.turn.record.outcome = .noted
            return
        }
        if let back = undoing.question, undoing.failed.isEmpty {
            interaction.undoing = nil
            self.sendBack(&interaction, with: back.question, about: back.parameter)
            return
        }
        try await self.turn.closeLedger(of: interaction)
        self.turn.conclude(&interaction, undoing.reason, response: undoing.response)
    }
}
