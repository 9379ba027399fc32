internal import IntentEvents
internal import IntentKit

/// What the stage `handle` does in a turn: it performs the task, and follows it as long as there is news.
struct HandleTurn: StageTurn {
    /// What all turns share.
    let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    /// Receives an interaction that is to be handled.
    func receive(_ type: EventType) async throws {
        guard type == .intentConfirmed else { return }
        try await self.acquire { try await self.handle(&$0) }
    }

    func handleAgain(_ interaction: inout Interaction) async throws { try await self.handle(&interaction) }

    /// Performs the task, and reports what was done (R30 to R33).
    private func handle(_ interaction: inout Interaction) async throws {
        guard let entry = self.turn.registered(interaction) else {
            try await self.turn.end(&interaction, .unsupportedIntent)
            return
        }
        guard !self.isHeld(&interaction) else { return }
        self.turn.recordHandler(entry)
        if self.turn.environment.endsByUndoing, !entry.registration.undos.isEmpty {
            try self.turn.requireFormat2(for: "A part Undo of \(interaction.intent.name)")
        }
        guard !self.turn.mustWaitForUndo(interaction) else { throw UndoPendingError() }
        if entry.registration.undoesInteractions {
            let response = try await self.undoAnother(for: interaction)
            try await self.end(&interaction, with: response)
            return
        }
        let context = self.turn.context(for: interaction)
        let response = try await self.turn.calling { [intent = interaction.intent] in
            try await entry.registration.handle(intent, context)
        }
        self.turn.handlerAnswered()
        if let question = response.question {
            try await self.askBack(&interaction, question, of: entry.registration)
            return
        }
        if let code = response.code, entry.registration.appOnlyCodes.contains(code) {
            try await self.closeLedgerBeforeFailure(of: interaction)
            let detail = "The handler reported \(code), which only the app may (app.responded): it answers handleInApp."
            throw ResolutionError(description: detail)
        }
        if let code = response.code, INIntentHandlingStatus(code: code) == .inProgress {
            // The app finishes it: `handleInApp`, or a service that reports later (R33).
            let deadline = self.turn.now + self.turn.settings.appTimeout.milliseconds
            interaction.appDeadline = min(deadline, interaction.expiresAt ?? deadline)
            self.turn.takeFollowUps()
            self.turn.reportInProgress(&interaction, code: code, response: response)
            self.turn.sendFollowUps(of: interaction)
            self.turn.keep(interaction)
            return
        }
        guard EndReason(of: response) != .error else {
            try await self.closeLedgerBeforeFailure(of: interaction)
            let detail = "The handler reported \(response.code ?? "nothing"), which ends nothing."
            throw ResolutionError(description: detail)
        }
        try await self.end(&interaction, with: response)
    }

    /// Undoes an interaction that has succeeded, because its user asks for that: all of it, or nothing (R75g).
    private func undoAnother(for interaction: Interaction) async throws -> HandlerResponse {
        let nothing = HandlerResponse(code: UndoInteraction.Code.failureNothingToUndo.rawValue)
        let id = interaction.intent.parameters["interaction"]?.string
        let all = try await UndoableInteraction.all(
            self.turn.context(for: interaction),
            by: interaction.request.text
        )
        guard let meant = all.first(where: { $0.interaction == id }) else { return nothing }
        let undos = self.turn.environment.registry[meant.intent.name]?.registration.undos ?? [:]
        guard meant.effects.allSatisfy({ undos[$0.name] != nil }) else { return nothing }
        // A turn that runs again comes to the same end, however late it is.
        guard meant.isUndone || self.turn.now < Timestamp(milliseconds: meant.until) else {
            return HandlerResponse(code: UndoInteraction.Code.failureTooLate.rawValue)
        }
        let effects = Array(meant.effects.reversed())
        let outcome = try await self.turn.undo(
            effects,
            from: RequestID(meant.origin),
            of: meant.intent,
            undos,
            by: interaction
        )
        switch outcome {
        case .undone:
            self.turn.undoneElsewhere = effects.map(\.name)
            self.forget(meant, for: interaction)
            return HandlerResponse(code: UndoInteraction.Code.success.rawValue)
        case .refused(let reason):
            var response = HandlerResponse(code: UndoInteraction.Code.failureUndoRefused.rawValue)
            response.dialog = LocalizedText(reason)
            return response
        case .gone: return nothing
        }
    }

    /// Ends the status updates of an interaction that was undone, cancels what it has started, and no longer offers to undo
    /// it.
    private func forget(_ undone: UndoableInteraction, for interaction: Interaction) {
        let request = RequestID(undone.request)
        if self.turn.state(StateName.followed(request), FollowedInteraction.self) != nil {
            self.turn.removeState(StateName.followed(request))
        }
        let id = InteractionID(undone.interaction)
        if var known = self.turn.known(id), known.request == request {
            for id in known.started { self.turn.cancelStarted(id, by: interaction) }
            known.started = []
            known.undoableUntil = nil
            self.turn.setState(StateName.known(id), known)
        }
    }

    /// Closes the ledger of an interaction that ends with an error, unless its effects are undone first.
    private func closeLedgerBeforeFailure(of interaction: Interaction) async throws {
        guard !self.turn.canUndo(interaction) else { return }
        try await self.turn.closeLedger(of: interaction)
    }

    /// Sends the interaction back with a question, if nothing has been done yet (R72d), or when that is undone (R75).
    private func askBack(
        _ interaction: inout Interaction,
        _ question: HandlerQuestion,
        of registration: IntentRegistration
    ) async throws {
        let asked: BackQuestion
        do {
            asked = try self.backQuestion(question, registration, interaction)
        } catch {
            try await self.closeLedgerBeforeFailure(of: interaction)
            throw error
        }
        let effects = try await self.turn.beginNextRound(of: interaction)
        guard effects.isEmpty else {
            let lasting = effects.map(\.name).filter { registration.undos[$0] == nil }
            if lasting.isEmpty, self.turn.canUndo(interaction) {
                let back = Undoing.Question(parameter: question.parameter, question: asked)
                _ = self.turn.startUndoing(effects, of: &interaction, before: .error, question: back)
                return
            }
            try await self.closeLedgerBeforeFailure(of: interaction)
            let names = (lasting.isEmpty ? effects.map(\.name) : lasting).joined(separator: ", ")
            throw ResolutionError(
                description: "The handler asks back after its effects \(names), which no part Undo undoes: it may "
                    + "before it has made any."
            )
        }
        interaction.round += 1
        self.sendBack(&interaction, with: asked, about: question.parameter)
    }

    /// Ends the interaction with a final response, and follows it if its handler has status updates.
    func end(_ interaction: inout Interaction, with response: HandlerResponse) async throws {
        self.turn.takeFollowUps()
        try await self.turn.end(&interaction, EndReason(of: response), response: response)
        self.turn.sendFollowUps(of: interaction)
        if INIntentHandlingStatus(code: response.code ?? "success") == .success {
            self.follow(interaction, reported: response)
        }
    }

    /// Starts to follow an interaction that has ended successfully, if its handler has status updates.
    private func follow(_ interaction: Interaction, reported response: HandlerResponse) {
        guard let updates = self.turn.registered(interaction)?.registration.statusUpdates
        else { return }
        self.keep(
            FollowedInteraction(
                interaction: interaction,
                reported: response.details,
                dueAt: self.turn.now + updates.every.milliseconds,
                until: self.turn.now + updates.duration.milliseconds
            )
        )
    }

    /// Receives the app's answer about what was handed to it (R33).
    func receiveAppResponse() async throws {
        guard let id = self.turn.event.subject else {
            self.turn.reject(.invalid, "app.responded names its interaction: set ce_subject to the interaction's id.")
            return
        }
        guard let known = self.turn.known(id) else {
            self.turn.reject(.unknown, "User \(self.turn.event.userID) has no open interaction \(id).")
            return
        }
        guard let interaction = self.turn.openInteraction(request: known.request), interaction.appDeadline != nil else {
            self.turn.reject(.late, "Interaction \(id) does not wait for the app.")
            return
        }
        let entry = self.turn.registered(interaction)
        let codes = entry?.registration.codes ?? []
        let code = self.turn.event["code"]?.string ?? ""
        let isFinal =
            switch INIntentHandlingStatus(code: code) {
            case .success, .failure, .deferredToApplication: codes.contains(code)
            case .unspecified, .ready, .inProgress, .userConfirmationRequired: false
            }
        guard isFinal else {
            self.turn.reject(.invalid, "data.code is \(code); it is one of the intent's final codes.")
            return
        }
        let response = HandlerResponse(code: code, details: self.turn.event["response"]?.object ?? [:])
        try await self.turn.act(on: interaction) { interaction in
            if let entry, let appResponded = entry.registration.appResponded {
                self.turn.recordHandler(entry)
                let context = self.turn.context(for: interaction)
                try await self.turn.calling { [intent = interaction.intent] in
                    try await appResponded(response, intent, context)
                }
                self.turn.handlerAnswered()
            }
            try await self.end(&interaction, with: response)
        }
    }

    /// This stage has no prompts.
    func receive(_ answer: Answer, to prompt: Prompt, _ interaction: inout Interaction) async throws {
        self.turn.reject(.unknown, "The handle stage asks nothing.")
    }

    /// Nothing waits in this stage.
    func proceed(_ interaction: inout Interaction) async throws {}

    /// The interaction that waits for the app, for a condemned event of the app.
    func condemnedInteraction(_ type: EventType) -> Interaction? {
        guard type == .appResponded, let known = self.turn.event.subject.flatMap(self.turn.known) else { return nil }
        let interaction = self.turn.openInteraction(request: known.request)
        return interaction?.appDeadline == nil ? nil : interaction
    }
}
