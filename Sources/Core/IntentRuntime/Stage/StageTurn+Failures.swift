internal import IntentEvents

/// The end of a turn that failed, or whose event can only become a dead letter.
extension StageTurn {
    /// Ends the interaction because the turn failed for good: the terminal response, and the event to dead letters
    /// (R35).
    ///
    /// Its effects are undone first (R75), and its ledger is closed, as at every end (R30). If the store cannot be reached
    /// even for that, the interaction ends all the same (R9). Operators read the error's text; the client gets the error's
    /// message for clients.
    func fail(_ error: any Error) async {
        let failure = TurnFailure(error, isFinal: true)
        self.turn.failure = failure
        self.turn.discardOutputs()
        if let request = self.turn.event.followedRequest {
            self.turn.removeState(StateName.followed(request))
            self.turn.record.outcome = .deadLettered
        } else if let interaction = self.turn.interaction {
            await self.turn.act(on: interaction) { interaction in
                let response = self.turn.response(to: failure, in: interaction)
                // The verdict has closed it, if it could be closed, and if there was nothing to undo.
                let isClosed = self.turn.record.crash != nil && !self.turn.canUndo(interaction)
                let isUndone = try? await self.turn.beginUndoing(&interaction, .error, response: response)
                guard isUndone != true else { return }
                if !isClosed { try? await self.turn.closeLedger(of: interaction) }
                self.turn.conclude(&interaction, .error, response: response)
            }
            if let parked = self.turn.parkedTurn(), parked.interactionID == interaction.id,
                parked.event.position != self.turn.input.stored.position, !self.turn.isRepeated(parked)
            {
                // A turn that overtakes it has failed: nobody waits for the running turn any longer.
                self.turn.removeState(StateName.parked)
                self.turn.endsParked = true
            }
        } else {
            self.turn.record.outcome = .deadLettered
        }
        if self.turn.record.crash != nil, self.turn.timedParkedTurn() != nil {
            // Its timer has fired, so nobody else would look at that turn again.
            self.turn.removeState(StateName.parked)
            self.turn.endsParked = true
        }
        let kind = self.turn.record.crash == nil ? "handlerFailed" : EventDecodingError.Code.crashed.rawValue
        self.turn.output(.deadLetter(error: kind, detail: failure.message))
    }

    /// Sends a record that cannot be decoded to dead letters, bytes unchanged.
    ///
    /// If the record says who asked for what, the user also gets an answer (R47).
    func deadLetter(_ error: EventDecodingError) {
        self.turn.record.outcome = .deadLettered
        if error.code == .crashed { self.turn.failure = TurnFailure(error, isFinal: true) }
        self.turn.output(.deadLetter(error: error.code.rawValue, detail: error.detail))
        self.answerUndecodable(error)
    }

    /// The result for a record that is no event and does not wait: it is forwarded to its home partition, or goes
    /// to dead letters where it is.
    func deadLettered(_ error: EventDecodingError) -> TurnResult {
        // At home it would only be read again.
        if self.turn.input.isUndecoded || !self.turn.sendHome() { self.deadLetter(error) }
        return self.turn.result()
    }
}
