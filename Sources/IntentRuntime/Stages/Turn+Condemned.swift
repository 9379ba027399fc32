internal import IntentEvents
internal import IntentKit

/// How a turn ends whose handler has ended its process too often (R56).
///
/// Nothing foreign is called: no handler, no presenter, no type of a handler's own.
extension Turn {
    /// Ends the interaction that the turn would have acted on, with the effects that it has made already.
    ///
    /// - Throws: `JournaledError` when the store cannot be reached.
    func end(condemnedAs verdict: CrashVerdict) async throws {
        self.interaction = self.condemnedInteraction()
        if let interaction = self.interaction, self.stage == .handle, self.event.followedRequest == nil,
            self.environment.registry[interaction.intent.name]?.registration.usesLedger ?? false
        {
            _ = try await self.stageHost().closeLedger(request: interaction.request, unlessEffects: false)
            try await self.stageHost().takeEffects(request: interaction.request)
        }
        await self.fail(CrashedTurnError(verdict: verdict))
    }

    /// The interaction on which the event would have acted; nil when it would have found none.
    private func condemnedInteraction() -> Interaction? {
        guard let type = self.event.knownType, self.input.stored.position.topic != .requests || type.isInbound else {
            return nil
        }
        switch type {
        case .intentRequested:
            return self.stage == .resolve ? self.condemnedRequest() : nil
        case .interactionReturned, .intentResolved, .intentConfirmed:
            guard var interaction = self.event.interaction else { return nil }
            interaction.turns += 1
            return interaction
        case .promptAnswered:
            guard let promptID = self.event.promptID,
                promptID.stage == self.stage, let known = self.known(promptID.interaction)
            else { return nil }
            let interaction = self.openInteraction(request: known.request)
            return interaction?.prompt?.number == promptID.number ? interaction : nil
        case .interactionResumed:
            guard let interaction = self.event.request.flatMap(self.openInteraction(request:)),
                interaction.prompt?.id(interaction: interaction.id, stage: self.stage) == self.event.promptID
            else { return nil }
            return interaction
        case .appResponded:
            guard self.stage == .handle, let known = self.event.subject.flatMap(self.known) else { return nil }
            let interaction = self.openInteraction(request: known.request)
            return interaction?.appDeadline == nil ? nil : interaction
        case .timerFired:
            return self.condemnedTimersInteraction()
        case .interactionCancelled:
            // One that concerns a parked turn fails alone, as any cancellation does.
            guard let id = self.event.subject, self.parkedTurn()?.interactionID != id, let known = self.known(id) else {
                return nil
            }
            return self.openInteraction(request: known.request)
        case .deviceUnlocked, .userAuthenticated, .vocabularyReplaced, .vocabularyRemoved, .promptIssued,
            .intentResponded, .statusUpdated, .eventRejected, .userActivityCreated, .turnJournaled:
            return nil
        }
    }

    private func condemnedRequest() -> Interaction? {
        var interaction =
            self.readRequest(self.event, self.input.stored, startedAt: self.input.firstTriedAt ?? self.now).interaction
        if let known = self.known(interaction.id), self.now - known.startedAt < self.settings.dedupeWindow.milliseconds
        {
            return nil
        }
        interaction.turns = 1
        self.record.opened = true
        return interaction
    }

    private func condemnedTimersInteraction() -> Interaction? {
        if let parked = self.timedParkedTurn() { return self.interaction(of: parked) }
        let data = self.event.data
        guard let deadline = data["deadline"]?.string.flatMap(Timestamp.init),
            let interaction = self.event.request.flatMap(self.openInteraction(request:))
        else { return nil }
        switch data["what"]?.string.flatMap(TimerKind.init(rawValue:)) {
        case .prompt: return interaction.prompt?.expiresAt == deadline ? interaction : nil
        case .app: return interaction.appDeadline == deadline ? interaction : nil
        case .inProgress, .timeout, .retry, .status, .unreadable, nil: return nil
        }
    }

    /// The parked turn that a timer is about, if it is still that one.
    func timedParkedTurn() -> ParkedTurn? {
        // A client's is ignored however often it is read (R14).
        guard self.event.knownType == .timerFired, self.input.stored.position.topic == .signals,
            self.event["what"]?.string.flatMap(TimerKind.init(rawValue:))?.isOfParkedTurn ?? false,
            let parked = self.parkedTurn(),
            self.event["position"]?.string == parked.event.position.description,
            self.event["attempt"]?.integer == Int64(parked.attempt)
        else { return nil }
        return parked
    }
}

/// A turn has ended its process too often.
struct CrashedTurnError: Error, CustomStringConvertible {
    /// The verdict.
    var verdict: CrashVerdict

    /// What happened.
    var description: String { self.verdict.description }
}

extension CrashVerdict {
    /// What happened, for operators.
    var description: String {
        let what = self.isUndecoded ? "was read" : "was processed"
        return "\(self.deaths) processes died while this event \(what)."
    }
}
