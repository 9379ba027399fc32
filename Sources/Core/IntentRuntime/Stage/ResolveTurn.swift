internal import IntentEvents
internal import IntentKit

/// What the stage `resolve` does in a turn: it begins interactions, and asks until all parameters are settled.
struct ResolveTurn: StageTurn {
    /// What all turns share.
    let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    /// Receives a request, or an interaction that a later stage sends back.
    func receive(_ type: EventType) async throws {
        switch type {
        case .intentRequested:
            try await self.open()
        case .interactionReturned:
            // With the user's corrections (R12, R22), or with a question in it (R72c).
            try await self.acquire { interaction in
                let corrections = self.turn.event["corrections"]?.object ?? [:]
                interaction.set(corrections, in: self.turn.environment, reading: self.turn)
                try await self.handleAgain(&interaction)
            }
        case .followUpScheduled: self.receiveFollowUp()
        default: break
        }
    }

    /// Continues with the parameters.
    func proceed(_ interaction: inout Interaction) async throws { try await self.resolveParameters(&interaction) }

    /// Begins an interaction (R8, R15, R26, R27), or recognises a client's retry.
    private func open() async throws {
        let request = self.readRequest()
        let problem = request.problem
        // Moved out: an interaction is large to copy.
        var interaction = (consume request).interaction
        self.turn.mistakes = interaction.mistakes
        if let known = self.recent(interaction) {
            guard known.content == nil || known.content == interaction.content else {
                self.turn.reject(.idConflict, "The id \(interaction.id) was used for another request: take a new one.")
                return
            }
            self.turn.record.interactionID = interaction.id
            self.turn.record.request = known.request
            return
        }
        interaction.turns = 1
        self.turn.record.opened = true
        try await self.turn.act(on: consume interaction) { try await self.begin(&$0, problem: problem) }
    }

    private func begin(_ interaction: inout Interaction, problem: String?) async throws {
        self.turn.recall(.aside, interaction)
        if let problem {
            let response = HandlerResponse(code: nil, details: ["error": .string(problem + ".")])
            try await self.turn.end(&interaction, .invalidRequest, response: response)
            return
        }
        guard self.turn.registered(interaction) != nil else {
            try await self.turn.end(&interaction, .unsupportedIntent)
            return
        }
        guard interaction.user.authorization == .authorized else {
            try await self.turn.end(&interaction, .notAuthorized)
            return
        }
        let parameters = interaction.intent.parameters
        let unknown = self.turn.unknownParameters(parameters, in: ClientMistake.parameters, of: interaction)
        self.turn.note(unknown, in: &interaction)
        if let refusal = self.turn.refusal(intent: interaction.intent.name) {
            try await self.turn.end(
                &interaction,
                .invalidRequest,
                response: HandlerResponse(code: nil, details: ["error": .string(refusal)])
            )
            return
        }
        interaction.intent.parameters = [:]
        interaction.set(parameters, in: self.turn.environment, reading: self.turn)
        guard try await !self.endIfOverdue(&interaction) else { return }
        try await self.handleAgain(&interaction)
    }

    /// Begins with the parameters, unless the intent is paused, or the device has to be unlocked first.
    func handleAgain(_ interaction: inout Interaction) async throws {
        guard !self.isHeld(&interaction) else { return }
        if interaction.history.isEmpty, self.turn.registered(interaction)?.isRestrictedWhileLocked ?? false,
            interaction.device.isLocked ?? true
        {
            try await self.turn.ask(&interaction, .unlockRequired)
            return
        }
        try await self.resolveParameters(&interaction)
    }

    private func readRequest() -> RequestReader {
        self.turn.readRequest(
            self.turn.event,
            self.turn.input.stored,
            startedAt: self.turn.input.firstTriedAt ?? self.turn.now
        )
    }

    /// What is remembered of an interaction of that id, if it began recently.
    private func recent(_ interaction: Interaction) -> KnownInteraction? {
        self.turn.known(interaction.id)
            .flatMap { known in
                self.turn.now - known.startedAt < self.turn.settings.dedupeWindow.milliseconds ? known : nil
            }
    }

    /// The interaction that a condemned request would have begun.
    func condemnedInteraction(_ type: EventType) -> Interaction? {
        guard type == .intentRequested else { return nil }
        var interaction = self.readRequest().interaction
        guard self.recent(interaction) == nil else { return nil }
        interaction.turns = 1
        self.turn.record.opened = true
        return interaction
    }

    /// Answers a request that cannot be decoded.
    func answerUndecodable(_ error: EventDecodingError) {
        guard error.type == EventType.intentRequested.rawValue, !self.turn.event.userID.isEmpty else { return }
        let reader = self.turn.readRequest(self.turn.event, self.turn.input.stored, startedAt: self.turn.now)
        guard self.turn.known(reader.interaction.id) == nil else { return }
        self.turn.record.opened = true
        self.turn.act(on: reader.interaction) { interaction in
            guard error.code != .crashed else { return self.turn.conclude(&interaction, .error) }
            let response = HandlerResponse(code: nil, details: ["error": .string(error.detail)])
            self.turn.conclude(&interaction, .invalidRequest, response: response)
        }
    }
}
