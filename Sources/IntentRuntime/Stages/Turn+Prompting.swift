internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Puts a question to the user and keeps the interaction until the answer comes.
    ///
    /// Each answer that does not settle what it was asked for counts as an attempt; after too many the interaction ends
    /// (R24).
    func ask(
        _ kind: PromptKind,
        parameter: String? = nil,
        index: Int? = nil,
        options: [JSONValue] = [],
        item: JSONValue? = nil,
        reason: ReasonDescription? = nil,
        response: HandlerResponse? = nil
    ) {
        guard var interaction = self.interaction else { return }
        let attempt = kind.waitsForEvent ? 0 : interaction.attempts[Prompt.subject(parameter, index)] ?? 0
        guard attempt < self.settings.promptMaxAttempts else {
            self.end(.tooManyAttempts)
            return
        }
        let patience = kind.waitsForEvent ? self.settings.parkedMaxAge : self.settings.promptTimeout
        let maxAge = kind.waitsForEvent ? self.settings.parkedMaxAge : self.settings.maxAge
        var expiresAt = min(self.now + patience.milliseconds, interaction.startedAt + maxAge.milliseconds)
        if let wanted = interaction.expiresAt { expiresAt = min(expiresAt, wanted) }
        interaction.closePrompt(as: .superseded)
        let prompt = Prompt(
            number: interaction.history.count + 1,
            kind: kind,
            parameter: parameter,
            index: index,
            attempt: attempt,
            options: options,
            item: item,
            reason: reason,
            expiresAt: expiresAt
        )
        interaction.prompt = prompt
        self.interaction = interaction
        self.emit(.promptIssued, to: .responses, data: self.data(of: prompt, in: interaction, response: response))
        self.keep(interaction)
        self.record.outcome = .prompted
    }

    /// Keeps an interaction that this stage owns.
    func keep(_ interaction: Interaction) {
        self.setState(StateName.interaction(interaction.request), interaction.json)
        self.remember(interaction, whereabouts: .here)
    }

    private func data(of prompt: Prompt, in interaction: Interaction, response: HandlerResponse?) -> JSONValue {
        .members([
            "attempt": .string(prompt.attemptName),
            "dialog": .string(self.dialog(for: prompt, in: interaction)),
            "expiresAt": .string(prompt.expiresAt.description),
            "index": prompt.index.map { .integer(Int64($0)) } ?? .null,
            "intent": interaction.intent.json,
            "item": prompt.item ?? .null,
            "kind": .string(prompt.kind.rawValue),
            "options": .array(prompt.options),
            "parameter": prompt.parameter.map(JSONValue.string) ?? .null,
            "promptId": prompt.id(interaction: interaction.id, stage: self.stage).json,
            "reason": prompt.reason?.json ?? .null,
            "response": .object(response?.details ?? [:]),
            "status": prompt.kind == .intentConfirmation
                ? .string(INIntentHandlingStatus.userConfirmationRequired.rawValue) : nil,
            "user": ["id": .string(interaction.user.id)],
            "view": prompt.kind == .intentConfirmation
                ? self.view(
                    of: interaction,
                    code: response?.code,
                    status: .userConfirmationRequired,
                    response: response
                ) : nil,
        ])
    }

    private func dialog(for prompt: Prompt, in interaction: Interaction) -> String {
        let registration = self.environment.registry[interaction.intent.name]?.registration
        return PromptDialog(registration, intent: interaction.intent, locale: interaction.locale).text(for: prompt)
    }
}
