internal import IntentEvents
internal import IntentKit

/// What the stage `confirm` does in a turn: it makes the dry run, and asks for a confirmation.
struct ConfirmTurn: StageTurn {
    /// What all turns share.
    let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    /// Receives an interaction whose parameters are settled.
    func receive(_ type: EventType) async throws {
        guard type == .intentResolved else { return }
        try await self.acquire { try await self.handleAgain(&$0) }
    }

    /// Makes the dry run, unless the intent is paused.
    func handleAgain(_ interaction: inout Interaction) async throws {
        guard !self.isHeld(&interaction) else { return }
        try await self.confirm(&interaction)
    }

    /// Makes the dry run again.
    func proceed(_ interaction: inout Interaction) async throws { try await self.confirm(&interaction) }

    /// Makes the dry run, and continues according to its answer and the intent's policy (R28, R29).
    private func confirm(_ interaction: inout Interaction) async throws {
        guard let entry = self.turn.registered(interaction) else {
            try await self.turn.end(&interaction, .unsupportedIntent)
            return
        }
        self.turn.recordHandler(entry)
        let context = self.turn.context(for: interaction)
        let response = try await self.turn.calling { [intent = interaction.intent] in
            try await entry.registration.confirm(intent, context)
        }
        self.turn.handlerAnswered()
        if response.requiresAuthentication {
            try await self.turn.ask(&interaction, .authenticationRequired, response: response)
            return
        }
        if let question = response.question {
            let asked = try self.backQuestion(question, entry.registration, interaction)
            self.sendBack(&interaction, with: asked, about: question.parameter)
            return
        }
        // The code list of calls has a code for it (`userConfirmationRequired`).
        let isReady = response.code == "ready" || response.code == "success"
        let wantsYes = response.code == INIntentHandlingStatus.userConfirmationRequired.rawValue
        guard isReady || wantsYes else {
            try await self.turn.end(&interaction, EndReason(of: response), response: response)
            return
        }
        let shown = JSONValue.object(response.details)
        // Nobody acts in another user's name (R77).
        let policy = interaction.isForAnother ? .always : entry.confirmation
        let isAsked =
            switch policy {
            case .always: true
            case .never: false
            case .byHandler: response.requiresUserConfirmation || wantsYes
            }
        if isAsked, interaction.wasAccepted(shown: shown) {
            // The yes of the interaction that this one is redriven from (R48).
            interaction.shown = shown
            interaction.isAccepted = true
        }
        guard isAsked, !(interaction.isAccepted && interaction.shown == shown) else {
            self.turn.pass(interaction, as: .intentConfirmed)
            return
        }
        let again: AskedAgain? = interaction.isAccepted || interaction.redrive.yes != nil ? .changed : nil
        interaction.shown = shown
        interaction.isAccepted = false
        interaction.redrive.yes = nil
        let words = response.dialog?.text(locale: interaction.locale)
        try await self.turn.ask(&interaction, .intentConfirmation, response: response, words: words, again: again)
    }

    /// Receives an answer to the confirmation prompt (R22).
    func receive(_ answer: Answer, to prompt: Prompt, _ interaction: inout Interaction) async throws {
        if !answer.corrections.isEmpty {
            self.sendBack(&interaction, corrections: answer.corrections)
            return
        }
        let isYes: Bool? =
            switch answer.action {
            case .accept: answer.isBare ? true : self.isYes(answer.value, interaction)
            case .decline: false
            case .cancel: false
            }
        switch isYes {
        case true?:
            interaction.isAccepted = true
            interaction.forgetAttempts()
            try await self.confirm(&interaction)
        case false?:
            try await self.turn.end(&interaction, .declined)
        case nil:
            let shown = HandlerResponse(code: "ready", details: interaction.shown?.object ?? [:])
            let again: AskedAgain =
                answer.value == nil ? .noSuchChoice(answer.choice ?? 0, of: prompt.options.count) : .notAccepted
            try await self.turn.ask(
                &interaction,
                .intentConfirmation,
                response: shown,
                words: prompt.dialog,
                again: again
            )
        }
    }

    /// Whether a value is a yes or a no, also in words (R73); nil for every other one.
    private func isYes(_ value: JSONValue?, _ interaction: Interaction) -> Bool? {
        value?.bool ?? value?.string.flatMap { self.turn.isYes($0, in: interaction) }
    }
}
