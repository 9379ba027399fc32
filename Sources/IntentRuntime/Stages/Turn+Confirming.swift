internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Makes the dry run, and goes on as its answer and the intent's policy say (R28, R29).
    func runConfirm() async throws {
        guard var interaction = self.interaction,
            let entry = self.environment.registry[interaction.intent.name]
        else {
            self.end(.unsupportedIntent)
            return
        }
        self.noteHandler(entry.registration)
        let context = self.context(for: interaction)
        let response = try await self.calling { try await entry.registration.confirm(interaction.intent, context) }
        self.handlerAnswered()
        if response.requiresAuthentication {
            self.ask(.authenticationRequired, response: response)
            return
        }
        // A call's list has a code of its own for it (`userConfirmationRequired`).
        let isReady = response.code == "ready" || response.code == "success"
        let wantsYes = response.code == INIntentHandlingStatus.userConfirmationRequired.rawValue
        guard isReady || wantsYes else {
            self.end(Self.endReason(of: response), response: response)
            return
        }
        let shown = JSONValue.object(response.details)
        let isAsked =
            switch entry.registration.effectiveConfirmation {
            case .always: true
            case .never: false
            case .byHandler: response.requiresUserConfirmation || wantsYes
            }
        guard isAsked, !(interaction.isAccepted && interaction.shown == shown) else {
            self.pass(as: .intentConfirmed)
            return
        }
        interaction.shown = shown
        interaction.isAccepted = false
        self.interaction = interaction
        self.ask(.intentConfirmation, response: response)
    }

    /// Takes an answer to the question whether it shall be done (R22).
    func confirm(_ answer: Answer, to prompt: Prompt) async throws {
        guard var interaction = self.interaction else { return }
        if !answer.corrections.isEmpty {
            self.sendBack(corrections: answer.corrections)
            return
        }
        let isYes: Bool? =
            switch answer.action {
            case .accept: answer.isBare ? true : answer.value?.bool
            case .decline: false
            case .cancel: false
            }
        switch isYes {
        case true?:
            interaction.isAccepted = true
            interaction.attempts = [:]
            self.interaction = interaction
            try await self.runConfirm()
        case false?:
            self.end(.declined)
        case nil:
            let shown = HandlerResponse(code: "ready", details: interaction.shown?.object ?? [:])
            self.ask(.intentConfirmation, response: shown)
        }
    }

    /// Sends the interaction back to be resolved with the user's corrections (R12).
    private func sendBack(corrections: JSONObject) {
        guard var interaction = self.interaction else { return }
        interaction.isAccepted = false
        interaction.shown = nil
        interaction.attempts = [:]
        self.interaction = interaction
        self.emit(
            .interactionReturned,
            to: .signals,
            stage: .resolve,
            data: [
                "corrections": .object(corrections),
                "interaction": interaction.json,
                "user": ["id": .string(interaction.user.id)],
            ]
        )
        self.removeState(StateName.interaction(interaction.request))
        self.remember(interaction, whereabouts: .returned)
        self.record.outcome = .returned
    }

    /// Why an interaction ends with that report.
    static func endReason(of response: HandlerResponse) -> EndReason {
        switch INIntentHandlingStatus(code: response.code ?? "success") {
        case .success, .deferredToApplication: .nominal
        case .failure: .failed
        case .unspecified, .ready, .inProgress, .userConfirmationRequired: .error
        }
    }
}
