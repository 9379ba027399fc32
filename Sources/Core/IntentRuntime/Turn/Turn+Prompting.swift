internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Asks the user and keeps the interaction until the answer comes.
    ///
    /// A prompt for a value offers the values that the parameter may have. Each answer that does not settle its question
    /// counts as an attempt; after too many the interaction ends (R24).
    func ask(
        _ interaction: inout Interaction,
        _ kind: PromptKind,
        parameter: String? = nil,
        index: Int? = nil,
        options: [ParameterOption] = [],
        item: ParameterOption? = nil,
        reason: ReasonDescription? = nil,
        response: HandlerResponse? = nil,
        words: String? = nil,
        again: AskedAgain? = nil,
        unlessAnswered first: AskedAgain? = nil
    ) async throws {
        let question = self.question(kind, parameter, index, options: options.map(\.value), item: item?.value)
        let attempt = kind.waitsForEvent ? 0 : interaction.attempts[question] ?? 0
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
        let displays = self.environment.showsDisplays ? (options.map(\.display) + [item?.display]).withinLimit : []
        var prompt = Prompt(
            number: interaction.history.count + 1,
            kind: kind,
            parameter: parameter,
            index: index,
            attempt: attempt,
            options: isAskedFor ? self.offered(parameter, of: interaction) : options.map(\.value),
            displays: displays.dropLast(),
            item: item?.value,
            itemDisplay: displays.last ?? nil,
            reason: reason,
            dialog: words,
            expiresAt: expiresAt
        )
        if self.environment.journalsWaits { prompt.issuedAt = self.now }
        interaction.prompt = prompt
        let view =
            prompt.kind == .intentConfirmation
            ? self.view(of: interaction, code: response?.code, status: .userConfirmationRequired, response: response)
            : nil
        let again =
            again ?? (attempt == 0 ? first : nil)
            ?? self.reasonToAskAgain(interaction, kind, parameter, question, attempt: attempt)
        let warnings = interaction.takeUnnamedMistakes().warnings(intent: interaction.intent.name)
        let opening = interaction.takeOpening()
        self.emit(.promptIssued, about: interaction, to: .responses) { text in
            self.write(
                prompt,
                of: interaction,
                response: response,
                view: view,
                again: again,
                warnings: warnings,
                opening: opening,
                to: &text
            )
        }
        self.keep(interaction)
        self.record.outcome = .prompted
    }

    /// Puts the open prompt once more, with the same id: its conversation is in front again (R78).
    func repeatPrompt(of interaction: inout Interaction) {
        guard let prompt = interaction.prompt else { return }
        var response: HandlerResponse?
        var view: JSONValue?
        if prompt.kind == .intentConfirmation {
            response = HandlerResponse(code: "ready", details: interaction.shown?.object ?? [:])
            let status = INIntentHandlingStatus.userConfirmationRequired
            view = self.view(of: interaction, code: response?.code, status: status, response: response)
        }
        let again = self.reasonToAskAgain(
            interaction,
            prompt.kind,
            prompt.parameter,
            self.question(of: prompt),
            attempt: prompt.attempt
        )
        let warnings = interaction.takeUnnamedMistakes().warnings(intent: interaction.intent.name)
        self.emit(.promptIssued, about: interaction, to: .responses) { text in
            self.write(
                prompt,
                of: interaction,
                response: response,
                view: view,
                again: again,
                warnings: warnings,
                opening: nil,
                isInFront: true,
                to: &text
            )
        }
        self.keep(interaction)
        self.record.outcome = .prompted
    }

    /// Why a question is put again, where the handler does not ask on; nil for a new one.
    private func reasonToAskAgain(
        _ interaction: Interaction,
        _ kind: PromptKind,
        _ parameter: String?,
        _ question: String,
        attempt: Int
    ) -> AskedAgain? {
        guard attempt > 0, parameter != nil, kind == .needsValue || kind == .unsupported else { return nil }
        guard self.environment.remembersRefusals else {
            return parameter == self.answeredParameter ? .notAccepted : nil
        }
        return interaction.again[question]
    }

    /// The name by which the answers to an open prompt are counted.
    func question(of prompt: Prompt) -> String {
        self.question(prompt.kind, prompt.parameter, prompt.index, options: prompt.options, item: prompt.item)
    }

    private func question(
        _ kind: PromptKind,
        _ parameter: String?,
        _ index: Int?,
        options: [JSONValue],
        item: JSONValue?
    ) -> String {
        guard self.environment.countsByQuestion else { return Prompt.subject(parameter, index) }
        return Prompt.question(kind, parameter, index, options: options, item: item)
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
        warnings: JSONValue?,
        opening: String?,
        isInFront: Bool = false,
        to text: inout JSONText
    ) {
        text.beginObject()
        if self.environment.explainsToClients {
            let registration = self.registered(interaction)?.registration
            let accepts = AcceptedAnswer(prompt, registration, readsWords: self.environment.readsWords)
            text.member("accepts", value: accepts.json)
            text.member("again", value: again?.json ?? .null)
        }
        text.member("askedBy", prompt.parameter.flatMap { interaction.asked[$0] }?.stage.rawValue)
        text.member("attempt", prompt.attemptName)
        let dialog = self.dialog(for: prompt, in: interaction)
        text.member("dialog", opening.map { "\($0) \(dialog)" } ?? dialog)
        text.name("expiresAt")
        text.string { prompt.expiresAt.write(to: &$0) }
        text.member("follows", value: interaction.followsShown)
        text.member("front", ifTrue: isInFront)
        text.member("index", value: prompt.index.map { .integer(Int64($0)) } ?? .null)
        text.member("intent", interaction.intent)
        text.member("item", value: prompt.item ?? .null)
        let offer = self.environment.showsDisplays ? self.offer(of: prompt, in: interaction) : nil
        if let offer, let item = prompt.item {
            let display = offer.display(of: item, prompt.itemDisplay, locale: interaction.locale)
            text.member("itemDisplay", value: display.json)
        }
        text.member("kind", prompt.kind.rawValue)
        if let offer, !prompt.options.isEmpty {
            let displays = offer.displays(locale: interaction.locale)
            text.member("optionDisplays", value: .array(displays.map(\.json)))
        }
        text.member("options", value: .array(prompt.options))
        text.name("parameter")
        text.stringOrNull(prompt.parameter)
        text.member("promptId", prompt.id(interaction: interaction.id, stage: self.stage).description)
        text.member("reason", value: prompt.reason?.json ?? .null)
        text.name("response")
        text.object(response?.details ?? [:])
        text.member("setsAside", interaction.setsAside?.interaction.text)
        if prompt.kind == .intentConfirmation {
            text.member("status", INIntentHandlingStatus.userConfirmationRequired.rawValue)
        }
        text.member("understood", value: self.understood(in: interaction))
        text.member(userNamed: interaction.user.id)
        text.member("view", value: view)
        text.member("warnings", value: warnings)
        text.endObject()
    }

    /// The values that a parameter may have, if they are known and few.
    private func offered(_ parameter: String?, of interaction: Interaction) -> [JSONValue] {
        let registration = self.registered(interaction)?.registration
        return parameter.flatMap { registration?.constraints[$0]?.offered } ?? []
    }

    private func offer(of prompt: Prompt, in interaction: Interaction) -> PromptOffer {
        let registration = self.registered(interaction)?.registration
        return PromptOffer(
            prompt.options,
            displays: prompt.displays,
            of: registration?.parameters.first { $0.name == prompt.parameter },
            prompt.parameter.flatMap { registration?.constraints[$0] }
        )
    }

    private func dialog(for prompt: Prompt, in interaction: Interaction) -> String {
        let registration = self.registered(interaction)?.registration
        return PromptDialog(
            registration,
            intent: interaction.intent,
            locale: interaction.locale,
            readsNames: self.environment.readsTitles,
            chosen: interaction.displays,
            showsDisplays: self.environment.showsDisplays
        )
        .text(for: prompt)
    }
}
