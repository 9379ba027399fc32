package import IntentKit

/// Finds the dialog of a prompt.
///
/// The order is: the handler's words for this request, a prompt file's words for the parameter or intent, the intent's
/// own words, the general words. Words in the user's language come first, then those in other languages.
package struct PromptDialog {
    private typealias Language = PromptTexts.Language

    private let registration: IntentRegistration?
    private let intent: IntentSnapshot
    private let locale: String
    private let readsNames: Bool
    private let showsDisplays: Bool
    private let chosen: [String: DisplayRepresentation]
    /// The files' words in the user's languages, the region first.
    private let files: [Language]
    /// The built-in language of the user; nil when it is not built in.
    private let spoken: (any BuiltInLanguage)?
    /// The files' words for everybody.
    private let anywhere: [Language]

    /// Prepares dialogs about an intent.
    ///
    /// - Parameters:
    ///   - registration: The intent's registration; nil for an unsupported intent.
    ///   - intent: The intent's current values.
    ///   - locale: The user's language.
    ///   - readsNames: Whether a text that is no value of an enumeration is repeated as it was said.
    ///   - chosen: The words with which current values were chosen, by ``Prompt/subject(_:_:)``.
    ///   - showsDisplays: Whether options are called by their words for this request, and are distinguished.
    package init(
        _ registration: IntentRegistration?,
        intent: IntentSnapshot,
        locale: String,
        readsNames: Bool = true,
        chosen: [String: DisplayRepresentation] = [:],
        showsDisplays: Bool = true
    ) {
        self.readsNames = readsNames
        self.chosen = chosen
        self.showsDisplays = showsDisplays
        self.registration = registration
        self.intent = intent
        self.locale = locale
        let texts = registration?.prompts
        self.files = texts?.languages(locale) ?? []
        self.spoken = BuiltInLanguages.language(locale)
        self.anywhere = [texts?.anywhere].compactMap { $0 }
    }

    package func text(for prompt: Prompt) -> String {
        if let words = prompt.dialog { return words }
        switch prompt.kind {
        case .needsValue: return self.question(prompt)
        case .unsupported:
            return self.said(.unsupported, prompt) { language in
                let item = prompt.item.map { self.value($0, prompt.itemDisplay, of: prompt.parameter) }
                let refused = language.refusal(of: item, as: self.asked(prompt), self.refusal(prompt))
                return refused + " " + self.question(prompt)
            }
        case .disambiguation:
            return self.said(.disambiguation, prompt) { language in
                language.choice(of: self.asked(prompt), among: self.options(of: prompt))
            }
        case .confirmationRequired: return self.said(.confirmationRequired, prompt)
        case .intentConfirmation: return self.said(.intentConfirmation, prompt)
        case .unlockRequired: return self.said(.unlockRequired, prompt)
        case .authenticationRequired: return self.said(.authenticationRequired, prompt)
        }
    }

    /// A sentence about the task itself, in the same order; its placeholders are the title and the intent's values.
    package func text(_ sentence: PromptSentence) -> String {
        let own = self.specific(sentence, nil, in: self.files) ?? self.general(sentence, in: self.files)
        let text =
            own ?? self.spoken?.sentences[sentence] ?? self.specific(sentence, nil, in: self.anywhere)
            ?? self.general(sentence, in: self.anywhere) ?? BuiltInLanguages.english.sentences[sentence]
        return PromptTemplate(text ?? "")
            .filled { name in
                name == "title" ? self.intentTitle : self.intent.parameters[name].map { self.value($0, of: name) }
            }
    }

    /// The question for a missing value.
    private func question(_ prompt: Prompt) -> String {
        let sentence: PromptSentence = self.ownTitle(of: prompt.parameter) == nil ? .needsValue : .needsTitled
        return self.said(sentence, prompt) { $0.question(for: self.asked(prompt)) }
    }

    /// A sentence of a file, of the intent, or the built-in one, in the user's language if there is any.
    private func said(
        _ sentence: PromptSentence,
        _ prompt: Prompt,
        _ builtIn: ((any BuiltInLanguage) -> String)? = nil
    ) -> String {
        let asks = sentence == .needsValue || sentence == .needsTitled
        func own(_ locale: String) -> String? {
            asks ? prompt.parameter.flatMap { self.registration?.dialog($0, locale) } : nil
        }
        func byItself(_ language: any BuiltInLanguage) -> String {
            builtIn?(language) ?? self.fill(language.sentences[sentence] ?? "", prompt)
        }
        if let text = self.specific(sentence, prompt.parameter, in: self.files) ?? own(self.locale)
            ?? self.general(sentence, in: self.files)
        {
            return self.fill(text, prompt)
        }
        if let spoken { return byItself(spoken) }
        if let text = self.specific(sentence, prompt.parameter, in: self.anywhere) ?? own("en")
            ?? self.general(sentence, in: self.anywhere)
        {
            return self.fill(text, prompt)
        }
        return byItself(BuiltInLanguages.english)
    }

    private func specific(_ sentence: PromptSentence, _ parameter: String?, in languages: [Language]) -> String? {
        let sentence = sentence == .needsTitled ? .needsValue : sentence
        return languages.lazy
            .compactMap { language in
                let texts = language.intents[self.intent.name]
                guard let parameter else { return texts?.sentences[sentence] }
                return texts?.parameters[parameter]?.sentences[sentence]
            }
            .first
    }

    private func general(_ sentence: PromptSentence, in languages: [Language]) -> String? {
        languages.lazy.compactMap { $0.sentences[sentence] }.first
    }

    // MARK: The subject

    private func parameter(_ name: String?) -> ParameterDescription? {
        name.flatMap { name in self.registration?.parameters.first { $0.name == name } }
    }

    private func constraints(_ name: String?) -> ParameterConstraints? {
        name.flatMap { self.registration?.constraints[$0] }
    }

    /// The parameter's title in the user's language, else in another one; nil when it has only its name.
    private func ownTitle(of parameter: String?) -> String? {
        guard let parameter else { return nil }
        func text(_ languages: [Language]) -> String? {
            languages.lazy.compactMap { $0.intents[self.intent.name]?.parameters[parameter]?.title }.first
        }
        let title = self.parameter(parameter)?.title
        return text(self.files) ?? title?.text(in: self.locale) ?? text(self.anywhere) ?? title?.anyText
    }

    private func title(of parameter: String?) -> String {
        self.ownTitle(of: parameter) ?? PromptWords.of(name: parameter ?? "")
    }

    private var intentTitle: String {
        func text(_ languages: [Language]) -> String? {
            languages.lazy.compactMap { $0.intents[self.intent.name]?.title }.first
        }
        let title = self.registration?.title
        return text(self.files) ?? title?.text(in: self.locale) ?? text(self.anywhere) ?? title?.anyText
            ?? PromptWords.of(intent: self.intent.name)
    }

    private func asked(_ prompt: Prompt) -> AskedParameter {
        let constraints = self.constraints(prompt.parameter)
        let options = constraints?.offered ?? []
        let typeName = self.parameter(prompt.parameter)?.typeName ?? ""
        return AskedParameter(
            title: self.title(of: prompt.parameter),
            topic: options.isEmpty ? QuestionTopic(typeName: typeName) : .choice,
            options: self.texts(options, of: prompt.parameter),
            minimum: (constraints?.minimum).map { self.value($0, of: prompt.parameter) },
            maximum: (constraints?.maximum).map { self.value($0, of: prompt.parameter) }
        )
    }

    private func refusal(_ prompt: Prompt) -> Refusal {
        let isOfType = prompt.item.flatMap { item in self.parameter(prompt.parameter)?.accepts(item) } ?? true
        return Refusal(prompt.reason, isOfType: isOfType, text: self.sentence(of:), words: self.words(of:))
    }

    /// A reason in words: those of a file or of the reason, in the user's language if there are any; else those of its
    /// name, which are English.
    private func words(of reason: ReasonDescription) -> String? {
        self.sentence(of: reason) ?? (self.saysNames ? PromptWords.of(name: reason.name) : nil)
    }

    private func sentence(of reason: ReasonDescription) -> String? {
        func text(_ languages: [Language]) -> String? { languages.lazy.compactMap { $0.reasons[reason.name] }.first }
        let title = self.showsDisplays ? reason.title : nil
        return text(self.files) ?? title?.text(in: self.locale) ?? text(self.anywhere) ?? title?.anyText
    }

    /// Whether the names of reasons, which are English, may be said: they are not in sentences of another language.
    private var saysNames: Bool {
        guard self.showsDisplays, self.spoken != nil else { return true }
        return self.locale.prefix { $0 != "-" && $0 != "_" }.lowercased() == "en"
    }

    // MARK: Filling placeholders

    private func fill(_ template: String, _ prompt: Prompt) -> String {
        PromptTemplate(template)
            .filled { name in
                switch name {
                case "title": return self.intentTitle
                case "parameter": return prompt.parameter.map { self.title(of: $0) } ?? ""
                case "item": return self.item(of: prompt)
                case "options": return self.options(of: prompt)
                case "question": return self.question(prompt)
                case "reason": return prompt.reason.flatMap { self.words(of: $0) }.map { " (\($0))" } ?? ""
                default: return self.current(name)
                }
            }
    }

    private func item(of prompt: Prompt) -> String {
        if let item = prompt.item { return self.value(item, prompt.itemDisplay, of: prompt.parameter) }
        return prompt.parameter.flatMap { self.current($0) } ?? "–"
    }

    /// The current value of a parameter in words, as it was chosen; nil when it has none.
    private func current(_ name: String) -> String? {
        guard let value = self.intent.parameters[name] else { return nil }
        guard let values = value.array else { return self.value(value, self.chosen[name], of: name) }
        return self.list(
            values.enumerated().map { self.value($1, self.chosen[Prompt.subject(name, $0)], of: name) }
        )
    }

    /// A value in words: those for this request if there are any.
    private func value(_ value: JSONValue, _ own: DisplayRepresentation? = nil, of parameter: String?) -> String {
        let offer = self.offer([], of: parameter)
        if let own { return offer.display(of: value, own, locale: self.locale).title }
        if let values = value.array { return self.list(values.map { self.value($0, of: parameter) }) }
        return offer.words(value, locale: self.locale)
    }

    private func options(of prompt: Prompt) -> String {
        self.list(self.texts(prompt.options, prompt.displays, of: prompt.parameter))
    }

    /// Values that are offered, in words.
    private func texts(
        _ values: [JSONValue],
        _ displays: [DisplayRepresentation?] = [],
        of parameter: String?
    ) -> [String] {
        self.showsDisplays
            ? self.offer(values, displays, of: parameter).spoken(locale: self.locale)
            : values.map { self.value($0, of: parameter) }
    }

    private func offer(
        _ values: [JSONValue],
        _ displays: [DisplayRepresentation?] = [],
        of parameter: String?
    ) -> PromptOffer {
        PromptOffer(
            values,
            displays: displays,
            of: self.parameter(parameter),
            self.constraints(parameter),
            readsNames: self.readsNames,
            saysValues: self.showsDisplays
        )
    }

    private func list(_ texts: [String]) -> String {
        let or = self.general(.or, in: self.files) ?? self.spoken?.sentences[.or]
        return AskedParameter.list(texts, or ?? self.general(.or, in: self.anywhere) ?? "or") ?? ""
    }
}
