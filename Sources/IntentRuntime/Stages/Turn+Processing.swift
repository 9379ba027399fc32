internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Processes the event as its stage does.
    ///
    /// - Throws: What a handler throws; `CancellationError` when the turn is over before it ends.
    func process() async throws {
        guard let type = self.event.knownType else {
            self.reject(.invalid, "\(self.event.type) is not a type of event that is processed here.")
            return
        }
        if self.input.stored.position.topic == .requests && !type.isInbound {
            self.record.outcome = .ignored
            return
        }
        switch type {
        case .promptAnswered: try await self.takeAnswer()
        case .interactionCancelled: try await self.cancel()
        case .deviceUnlocked: self.resumeInteractions(waitingFor: .unlockRequired)
        case .userAuthenticated: self.resumeInteractions(waitingFor: .authenticationRequired)
        case .interactionResumed: try await self.goOn()
        case .vocabularyReplaced, .vocabularyRemoved: self.noteVocabulary(type)
        case .timerFired: try await self.takeTimer()
        case .appResponded: try await self.takeAppResponse()
        case .intentRequested:
            if self.stage == .resolve { try await self.open() }
        case .interactionReturned:
            if self.stage == .resolve { try await self.takeBack() }
        case .intentResolved:
            if self.stage == .confirm { try await self.takeOver { try await self.runConfirm() } }
        case .intentConfirmed:
            if self.stage == .handle { try await self.takeOver { try await self.runHandle() } }
        case .promptIssued, .intentResponded, .statusUpdated, .eventRejected, .userActivityCreated, .turnJournaled:
            self.record.outcome = .ignored
        }
    }

    /// Ends the interaction because the turn failed for good: the terminal response, and the event to dead letters
    /// (R35).
    ///
    /// Its ledger is closed first, as at every end (R30). A store that cannot be reached even for that holds the end
    /// back no longer (R9). Operators read what the error says; the client is told what it says for clients.
    func fail(_ error: any Error) async {
        let failure = TurnFailure(error, isFinal: true)
        self.failure = failure
        self.discardOutputs()
        if let request = self.event.followedRequest {
            self.removeState(StateName.followed(request))
            self.record.outcome = .deadLettered
        } else if let interaction = self.interaction {
            // A verdict has closed it, if it could be closed.
            if self.record.crash == nil { _ = try? await self.closeLedger(of: interaction, unlessEffects: false) }
            self.end(.error, response: self.response(to: failure))
            if let parked = self.parkedTurn(), parked.interactionID == self.interaction?.id,
                parked.event.position != self.input.stored.position
            {
                // A turn that overtakes it has failed: what still runs is no longer waited for.
                self.removeState(StateName.parked)
                self.endsParked = true
            }
        } else {
            self.record.outcome = .deadLettered
        }
        if self.record.crash != nil, self.timedParkedTurn() != nil {
            // Nobody else would ever look at that turn again: its timer has had its say.
            self.removeState(StateName.parked)
            self.endsParked = true
        }
        let kind = self.record.crash == nil ? "handlerFailed" : EventDecodingError.Code.crashed.rawValue
        self.output(.deadLetter(error: kind, detail: failure.message))
    }

    /// What the client is told of a failure.
    func response(to failure: TurnFailure) -> HandlerResponse {
        let details: JSONObject = failure.clientMessage.map { ["error": .string($0)] } ?? [:]
        return HandlerResponse(code: self.failureCode, details: details)
    }

    private var failureCode: String? {
        guard let interaction = self.interaction, let entry = self.environment.registry[interaction.intent.name],
            entry.registration.codes.contains("failure")
        else { return nil }
        return "failure"
    }

    /// Takes over an interaction that the stage before has passed on.
    private func takeOver(_ body: () async throws -> Void) async throws {
        guard var interaction = try await self.passedInteraction() else { return }
        interaction.turns += 1
        self.interaction = interaction
        guard try await !self.endIfOverdue() else { return }
        try await body()
    }

    /// The interaction that the event passes on; an event without one, or with another user's, is buried.
    func passedInteraction() async throws -> Interaction? {
        guard let interaction = self.event.interaction else {
            try await self.buryPassedOn()
            return nil
        }
        if UserID(interaction.user.id) == self.event.userID { return interaction }
        self.output(
            .deadLetter(
                error: EventDecodingError.Code.userMismatch.rawValue,
                detail: "The event and its interaction name different users."
            )
        )
        self.record.outcome = .deadLettered
        return nil
    }

    /// Ends an interaction whose time or turns are used up (R24).
    ///
    /// - Returns: Whether it did.
    func endIfOverdue() async throws -> Bool {
        guard let reason = self.overdueReason, let interaction = self.interaction else { return false }
        // Another worker may have begun this turn in time and have lost the partition since: its handler still runs.
        _ = try await self.closeLedger(of: interaction, unlessEffects: false)
        self.end(reason)
        return true
    }

    private var overdueReason: EndReason? {
        guard let turns = self.interaction?.turns, let startedAt = self.interaction?.startedAt else { return nil }
        if turns > self.settings.maxTurns { return .tooManyAttempts }
        if let expiresAt = self.interaction?.expiresAt, self.now >= expiresAt { return .timeout }
        return self.now - startedAt >= self.settings.parkedMaxAge.milliseconds ? .timeout : nil
    }

    /// Finds an open interaction of this user and counts the turn.
    func openInteraction(request: RequestID) -> Interaction? {
        guard var interaction = self.state(StateName.interaction(request), Interaction.self) else {
            return nil
        }
        interaction.turns += 1
        return interaction
    }

    /// What this stage remembers of an interaction.
    func known(_ interactionID: InteractionID) -> KnownInteraction? {
        self.state(StateName.known(interactionID), KnownInteraction.self)
    }

    /// The parked turn of this user, if there is one.
    func parkedTurn() -> ParkedTurn? {
        self.state(StateName.parked, ParkedTurn.self)
    }
}
