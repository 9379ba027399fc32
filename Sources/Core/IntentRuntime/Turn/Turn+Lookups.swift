internal import IntentEvents
internal import IntentKit

/// What a turn finds in the user's state and in its event.
extension Turn {
    /// Finds an interaction of this user that waits for its next try; such turns do not count, since the policy bounds
    /// them.
    func waitingInteraction(request: RequestID) -> Interaction? {
        guard let interaction = self.state(StateName.interaction(request), Interaction.self), interaction.waiting != nil
        else { return nil }
        self.needFormat(of: interaction)
        self.awaited = self.awaitedEvent(of: interaction)
        return interaction
    }

    /// Finds an open interaction of this user and counts the turn.
    func openInteraction(request: RequestID) -> Interaction? {
        guard var interaction = self.state(StateName.interaction(request), Interaction.self) else { return nil }
        self.needFormat(of: interaction)
        self.awaited = self.awaitedEvent(of: interaction)
        interaction.turns += 1
        return interaction
    }

    /// What this stage remembers of an interaction.
    func known(_ interactionID: InteractionID) -> KnownInteraction? {
        self.state(StateName.known(interactionID), KnownInteraction.self)
    }

    private func awaitedEvent(of interaction: Interaction) -> AwaitedEvent? {
        AwaitedEvent(interaction, keptAt: self.keptAt(interaction.id)) ?? self.awaitedRetry(of: interaction.id)
    }

    /// The next try of an interaction's parked turn, if it waits for that.
    ///
    /// As for ``keptAt(_:)``, only metrics ask.
    private func awaitedRetry(of interactionID: InteractionID) -> AwaitedEvent? {
        let entry = self.source.entry(StateName.parked)
        guard let parked = entry.flatMap({ $0.known(ParkedTurn.self) ?? $0.parse(ParkedTurn.self).form }),
            parked.interactionID == interactionID
        else { return nil }
        return AwaitedEvent(parked)
    }

    /// When an interaction was kept last.
    ///
    /// Only metrics ask: the journal does not have it, and a replay finds nothing.
    private func keptAt(_ interactionID: InteractionID) -> Timestamp? {
        let entry = self.source.entry(StateName.known(interactionID))
        return entry.flatMap { $0.known(KnownInteraction.self) ?? $0.parse(KnownInteraction.self).form }?.at
    }

    /// The parked turn of this user, if there is one.
    func parkedTurn() -> ParkedTurn? { self.state(StateName.parked, ParkedTurn.self) }

    /// The parked turn of a timer, if it is still the current one.
    func timedParkedTurn() -> ParkedTurn? {
        // A client's timer is ignored however often it is read (R14).
        guard self.event.knownType == .timerFired, self.input.stored.position.topic == .signals,
            self.event["what"]?.string.flatMap(TimerKind.init(rawValue:))?.isOfParkedTurn ?? false,
            let parked = self.parkedTurn(),
            self.event["position"]?.string == parked.event.position.description,
            self.event["attempt"]?.integer == Int64(parked.attempt)
        else { return nil }
        return parked
    }

    /// Whether a parked request repeats one that began before: its turn will call no handler, and answers it (R8).
    ///
    /// Such a turn is parked when it waits to run at all, behind one that may end the process or at the end of a batch.
    func isRepeated(_ parked: ParkedTurn) -> Bool {
        let position = parked.event.position
        guard self.environment.distinguishesRepeats, position.topic == .requests, let id = parked.interactionID,
            let known = self.known(id), known.request != "\(position.partition):\(position.offset)",
            self.now - known.startedAt < self.settings.dedupeWindow.milliseconds
        else { return false }
        return (try? parked.event.decoded())?.knownType == .intentRequested
    }

    /// The interaction of a parked turn: from its event, or from the state; nil for a request that repeats another.
    func interaction(of parked: ParkedTurn) -> Interaction? {
        guard !self.isRepeated(parked) else { return nil }
        if let id = parked.interactionID, let known = self.known(id),
            let interaction = self.openInteraction(request: known.request)
        {
            return interaction
        }
        self.awaited = AwaitedEvent(parked)
        guard let event = try? parked.event.decoded() else { return nil }
        if let interaction = event.interaction { return interaction }
        guard event.knownType == .intentRequested else { return nil }
        var interaction = self.readRequest(event, parked.event, startedAt: parked.startedAt).interaction
        // Reading the parameters with the intent's type would call the handler's own types.
        guard self.record.crash == nil else { return interaction }
        let parameters = interaction.intent.parameters
        interaction.intent.parameters = [:]
        interaction.set(parameters, in: self.environment)
        return interaction
    }

    /// Names in the journal the interaction of the parked turn, which this turn does not change.
    func name(interactionOf parked: ParkedTurn) {
        self.record.interactionID = parked.interactionID
        self.record.request = TurnInput(parked).request(of: parked.interactionID) { self.known($0) }
    }

    /// Reads a request, and journals whether its claim to be redriven is proved (R48).
    func readRequest(_ event: Event, _ stored: StoredRecord, startedAt: Timestamp) -> RequestReader {
        let verdict = self.environment.redrive.verdict(on: event, at: stored.position, of: self.environment.deployment)
        self.record.isRedriven = verdict
        return RequestReader(
            event,
            stored: stored,
            identifiers: self.identifiers,
            isRedriven: verdict ?? false,
            keys: self.environment.keysOfRequests,
            namesMistakes: self.environment.namesMistakes && !self.input.isUndecoded,
            readsTimeZone: self.environment.readsTimeZones,
            setsAside: self.environment.setsAside ? self.mayBeOpen : nil,
            countsQueue: self.environment.journalsWaits,
            startedAt: startedAt
        )
    }

    /// Names the turn's handler in the journal, and counts its calls from now on.
    func recordHandler(_ entry: IntentRegistry.Entry) {
        self.record.handlerName = entry.registration.handlerName
        self.record.handlerVersion = entry.registration.handlerVersion
        self.handlerCalls = self.environment.metrics?.calls(of: entry)
    }
}
