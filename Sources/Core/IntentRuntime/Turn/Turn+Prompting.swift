internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Asks the user and keeps the interaction until the answer comes.
    ///
    /// A prompt for a value offers the values that the parameter may have. Each answer that does not settle its prompt
    /// counts as an attempt; after too many the interaction ends (R24).
    func ask(
        _ interaction: inout Interaction,
        _ kind: PromptKind,
        parameter: String? = nil,
        index: Int? = nil,
        options: [JSONValue] = [],
        item: JSONValue? = nil,
        reason: ReasonDescription? = nil,
        response: HandlerResponse? = nil,
        words: String? = nil,
        again: AskedAgain? = nil
    ) async throws {
        let subject = Prompt.subject(parameter, index)
        let attempt = kind.waitsForEvent ? 0 : interaction.attempts[subject] ?? 0
        guard attempt < self.settings.promptMaxAttempts else {
            try await self.end(&interaction, .tooManyAttempts)
            return
        }
        let timeout = kind.waitsForEvent ? self.settings.parkedMaxAge : self.settings.promptTimeout
        let maxAge = kind.waitsForEvent ? self.settings.parkedMaxAge : self.settings.maxAge
        var expiresAt = min(self.now + timeout.milliseconds, interaction.startedAt + maxAge.milliseconds)
        if let wanted = interaction.expiresAt { expiresAt = min(expiresAt, wanted) }
        interaction.closePrompt(as: .superseded)
        let isAskedFor = options.isEmpty && (kind == .needsValue || kind == .unsupported)
        let prompt = Prompt(
            number: interaction.history.count + 1,
            kind: kind,
            parameter: parameter,
            index: index,
            attempt: attempt,
            options: isAskedFor ? self.offered(parameter, of: interaction) : options,
            item: item,
            reason: reason,
            dialog: words,
            expiresAt: expiresAt
        )
        interaction.prompt = prompt
        let view =
            prompt.kind == .intentConfirmation
            ? self.view(of: interaction, code: response?.code, status: .userConfirmationRequired, response: response)
            : nil
        let again = again ?? self.reasonToAskAgain(interaction, kind, parameter, subject, attempt: attempt)
        self.emit(.promptIssued, about: interaction, to: .responses) { text in
            self.write(prompt, of: interaction, response: response, view: view, again: again, to: &text)
        }
        self.keep(interaction)
        self.record.outcome = .prompted
    }

    /// Why a question is put again, where the handler does not ask on; nil for a new one.
    private func reasonToAskAgain(
        _ interaction: Interaction,
        _ kind: PromptKind,
        _ parameter: String?,
        _ subject: String,
        attempt: Int
    ) -> AskedAgain? {
        guard attempt > 0, parameter != nil, kind == .needsValue || kind == .unsupported else { return nil }
        guard self.environment.remembersRefusals else {
            return parameter == self.answeredParameter ? .notAccepted : nil
        }
        return interaction.again[subject]
    }

    /// Keeps an interaction that this stage owns.
    func keep(_ interaction: Interaction) {
        self.setState(StateName.interaction(interaction.request), interaction)
        self.remember(interaction, whereabouts: .here)
    }

    private func write(
        _ prompt: Prompt,
        of interaction: Interaction,
        response: HandlerResponse?,
        view: JSONValue?,
        again: AskedAgain?,
        to text: inout JSONText
    ) {
        text.beginObject()
        if self.environment.explainsToClients {
            let registration = self.registered(interaction)?.registration
            text.member("accepts", value: AcceptedAnswer(prompt, registration).json)
            text.member("again", value: again?.json ?? .null)
        }
        text.member("attempt", prompt.attemptName)
        text.member("dialog", self.dialog(for: prompt, in: interaction))
        text.name("expiresAt")
        text.string { prompt.expiresAt.write(to: &$0) }
        text.member("index", value: prompt.index.map { .integer(Int64($0)) } ?? .null)
        text.member("intent", interaction.intent)
        text.member("item", value: prompt.item ?? .null)
        text.member("kind", prompt.kind.rawValue)
        text.member("options", value: .array(prompt.options))
        text.name("parameter")
        text.stringOrNull(prompt.parameter)
        text.member("promptId", prompt.id(interaction: interaction.id, stage: self.stage).description)
        text.member("reason", value: prompt.reason?.json ?? .null)
        text.name("response")
        text.object(response?.details ?? [:])
        if prompt.kind == .intentConfirmation {
            text.member("status", INIntentHandlingStatus.userConfirmationRequired.rawValue)
        }
        text.member(userNamed: interaction.user.id)
        text.member("view", value: view)
        text.endObject()
    }

    /// The values that a parameter may have, if they are known and few.
    private func offered(_ parameter: String?, of interaction: Interaction) -> [JSONValue] {
        let registration = self.registered(interaction)?.registration
        return parameter.flatMap { registration?.constraints[$0]?.offered } ?? []
    }

    private func dialog(for prompt: Prompt, in interaction: Interaction) -> String {
        let registration = self.registered(interaction)?.registration
        return PromptDialog(
            registration,
            intent: interaction.intent,
            locale: interaction.locale,
            readsNames: self.environment.readsTitles
        )
        .text(for: prompt)
    }
}
