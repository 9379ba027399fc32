internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Ends an interaction because the user gives up (R5); finds its owner first (R12).
    func cancel() async throws {
        guard let id = self.event.subject else {
            self.reject(.invalid, "A cancellation names its interaction: set ce_subject to the interaction's id.")
            return
        }
        if let parked = self.parkedTurn(), parked.interactionID == id,
            let interaction = self.interaction(of: parked)
        {
            try await self.cancelParked(interaction)
            return
        }
        let known = self.known(id)
        if let known, let interaction = self.openInteraction(request: known.request) {
            self.interaction = interaction
            if self.stage == .handle, try await !self.closeLedger(of: interaction, unlessEffects: true) {
                self.interaction = nil
                self.reject(.late, "Something has been done already: interaction \(id) can't be cancelled any more.")
                return
            }
            self.end(.abortedByUser)
            return
        }
        switch known?.whereabouts {
        case .ended:
            self.reject(.late, "Interaction \(id) has ended already.")
        case .returned:
            self.forward(to: .signals, stage: .resolve)
        case .here, .passed, nil:
            guard !self.forwardToNextStage() else { return }
            self.reject(.unknown, "User \(self.event.userID) has no open interaction \(id).")
        }
    }

    /// Cancels the interaction of a turn that is still running, unless an effect has happened.
    ///
    /// It ends with the parked turn or with this one: a cancellation that fails fails alone.
    private func cancelParked(_ interaction: Interaction) async throws {
        self.interaction = interaction
        let isClosed: Bool
        do {
            isClosed = try await self.closeLedger(of: interaction, unlessEffects: true)
        } catch {
            self.interaction = nil
            throw error
        }
        guard isClosed else {
            self.interaction = nil
            self.reject(.late, "Something has been done already: interaction \(interaction.id) can't be cancelled.")
            return
        }
        self.end(.abortedByUser)
        self.removeState(StateName.parked)
        self.endsParked = true
    }

    /// The interaction of a parked turn: in its event, or kept here.
    func interaction(of parked: ParkedTurn) -> Interaction? {
        if let id = parked.interactionID, let known = self.known(id),
            let interaction = self.openInteraction(request: known.request)
        {
            return interaction
        }
        guard let event = try? parked.event.decoded() else { return nil }
        if let interaction = event.interaction { return interaction }
        guard event.knownType == .intentRequested else { return nil }
        let before = self.interaction
        defer { self.interaction = before }
        let request = self.readRequest(event, parked.event, startedAt: parked.startedAt)
        var interaction = request.interaction
        // To read the parameters as the intent has them would call the handler's own types.
        guard self.record.crash == nil else { return interaction }
        interaction.intent.parameters = [:]
        self.interaction = interaction
        self.setParameters(request.interaction.intent.parameters)
        return self.interaction
    }

    /// Ends the ledger of an interaction whose handler makes effects.
    ///
    /// - Returns: Whether it is closed now.
    func closeLedger(of interaction: Interaction, unlessEffects: Bool) async throws -> Bool {
        guard self.stage == .handle,
            self.environment.registry[interaction.intent.name]?.registration.usesLedger ?? false
        else { return true }
        return try await self.stageHost().closeLedger(request: interaction.request, unlessEffects: unlessEffects)
    }
}
