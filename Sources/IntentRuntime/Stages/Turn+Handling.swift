internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Does it, and reports what was done (R30 to R33).
    func runHandle() async throws {
        guard var interaction = self.interaction,
            let entry = self.environment.registry[interaction.intent.name]
        else {
            self.end(.unsupportedIntent)
            return
        }
        self.noteHandler(entry.registration)
        let context = self.context(for: interaction)
        let response = try await self.calling { [intent = interaction.intent] in
            try await entry.registration.handle(intent, context)
        }
        self.handlerAnswered()
        if let code = response.code, entry.registration.appOnlyCodes.contains(code) {
            _ = try await self.closeLedger(of: interaction, unlessEffects: false)
            let detail = "The handler reported \(code), which only the app may (app.responded): it answers handleInApp."
            await self.fail(ResolutionError(description: detail))
            return
        }
        if let code = response.code, INIntentHandlingStatus(code: code) == .inProgress {
            // The app finishes it: `handleInApp`, or a service that reports later (R33).
            let deadline = self.now + self.settings.appTimeout.milliseconds
            interaction.appDeadline = min(deadline, interaction.expiresAt ?? deadline)
            self.interaction = interaction
            self.reportInProgress(code: code, response: response)
            self.keep(interaction)
            return
        }
        _ = try await self.closeLedger(of: interaction, unlessEffects: false)
        let reason = Self.endReason(of: response)
        guard reason != .error else {
            let detail = "The handler reported \(response.code ?? "nothing"), which ends nothing."
            await self.fail(ResolutionError(description: detail))
            return
        }
        self.end(reason, response: response)
    }

    /// Takes the app's own answer to what was handed to it (R33).
    func takeAppResponse() async throws {
        guard self.stage == .handle else {
            _ = self.forwardToNextStage()
            return
        }
        guard let id = self.event.subject else {
            self.reject(.invalid, "app.responded names its interaction: set ce_subject to the interaction's id.")
            return
        }
        guard let known = self.known(id) else {
            self.reject(.unknown, "User \(self.event.userID) has no open interaction \(id).")
            return
        }
        guard let interaction = self.openInteraction(request: known.request), interaction.appDeadline != nil else {
            self.reject(.late, "Interaction \(id) does not wait for the app.")
            return
        }
        let registration = self.environment.registry[interaction.intent.name]?.registration
        let codes = registration?.codes ?? []
        let code = self.event["code"]?.string ?? ""
        let isFinal =
            switch INIntentHandlingStatus(code: code) {
            case .success, .failure, .deferredToApplication: codes.contains(code)
            case .unspecified, .ready, .inProgress, .userConfirmationRequired: false
            }
        guard isFinal else {
            self.reject(.invalid, "data.code is \(code); it is one of the intent's final codes.")
            return
        }
        self.interaction = interaction
        let response = HandlerResponse(code: code, details: self.event["response"]?.object ?? [:])
        if let registration, let appResponded = registration.appResponded {
            self.noteHandler(registration)
            try await appResponded(response, interaction.intent, self.context(for: interaction))
            self.handlerAnswered()
        }
        _ = try await self.closeLedger(of: interaction, unlessEffects: false)
        self.end(Self.endReason(of: response), response: response)
    }
}
