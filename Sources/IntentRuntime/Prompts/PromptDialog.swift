package import IntentKit

/// What to say at a prompt: what a prompt file says of the parameter or intent, what the intent itself says, what is
/// said of every parameter; in the user's language as long as there is anything, else in another.
package struct PromptDialog {
    private typealias Language = PromptTexts.Language

    private let registration: IntentRegistration?
    private let intent: IntentSnapshot
    private let locale: String
    /// The user's languages, the region first, intentd's own last.
    private let languages: [Language]
    /// What serves everybody, intentd's English last.
    private let others: [Language]

    /// Prepares to speak about an intent.
    ///
    /// - Parameters:
    ///   - registration: The intent's registration; nil for an intent that nobody supports.
    ///   - intent: The intent as it stands.
    ///   - locale: The user's language.
    package init(_ registration: IntentRegistration?, intent: IntentSnapshot, locale: String) {
        self.registration = registration
        self.intent = intent
        self.locale = locale
        let texts = registration?.prompts
        self.languages = (texts?.languages(locale) ?? []) + [BuiltInSentences.language(locale)].compactMap { $0 }
        self.others = [texts?.anywhere, BuiltInSentences.english].compactMap { $0 }
    }

    /// The text of a prompt.
    package func text(for prompt: Prompt) -> String {
        let sentence = self.sentence(of: prompt)
        return self.fill(self.template(sentence, prompt.parameter), prompt)
    }

    private func sentence(of prompt: Prompt) -> PromptSentence {
        switch prompt.kind {
        case .needsValue: self.title(of: prompt.parameter) == nil ? .needsValue : .needsTitled
        case .disambiguation: .disambiguation
        case .confirmationRequired: .confirmationRequired
        case .unsupported: .unsupported
        case .intentConfirmation: .intentConfirmation
        case .unlockRequired: .unlockRequired
        case .authenticationRequired: .authenticationRequired
        }
    }

    /// The sentence with its braces.
    private func template(_ sentence: PromptSentence, _ parameter: String?) -> String {
        let asks = sentence == .needsValue || sentence == .needsTitled
        let own = asks ? parameter.flatMap { self.registration?.dialog($0, self.locale) } : nil
        if let text = self.specific(sentence, parameter, in: self.languages) ?? own { return text }
        if let text = self.general(sentence, in: self.languages) { return text }
        if let text = self.specific(sentence, parameter, in: self.others) { return text }
        if asks, let text = parameter.flatMap({ self.registration?.dialog($0, "en") }) { return text }
        return self.general(sentence, in: self.others) ?? ""
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

    /// What the parameter is called in the user's language, else by its definition; nil when it has only its name.
    private func title(of parameter: String?) -> String? {
        guard let parameter else { return nil }
        let told = (self.languages + self.others).lazy
            .compactMap { $0.intents[self.intent.name]?.parameters[parameter]?.title }
            .first
        return told ?? self.registration?.parameters.first { $0.name == parameter }?.title
    }

    /// What the parameter is called inside a sentence: a definition's title may be a sentence itself.
    private func name(of parameter: String, _ sentence: PromptSentence) -> String {
        let told = (self.languages + self.others).lazy
            .compactMap { $0.intents[self.intent.name]?.parameters[parameter]?.title }
            .first
        if let told { return told }
        return sentence == .needsTitled ? self.title(of: parameter) ?? parameter : PromptWords.of(name: parameter)
    }

    private var intentTitle: String {
        (self.languages + self.others).lazy.compactMap { $0.intents[self.intent.name]?.title }.first
            ?? self.registration?.title ?? PromptWords.of(intent: self.intent.name)
    }

    private func fill(_ template: String, _ prompt: Prompt) -> String {
        let sentence = self.sentence(of: prompt)
        return PromptTemplate(template)
            .filled { name in
                switch name {
                case "title": return self.intentTitle
                case "parameter": return prompt.parameter.map { self.name(of: $0, sentence) } ?? ""
                case "item": return self.item(of: prompt)
                case "options": return self.list(prompt.options)
                case "reason": return prompt.reason.map { " (\(self.words(of: $0)))" } ?? ""
                default: return self.intent.parameters[name].map(self.value)
                }
            }
    }

    private func item(of prompt: Prompt) -> String {
        let text = prompt.item.map(PromptWords.of) ?? ""
        return text.isEmpty ? self.value(prompt.parameter.flatMap { self.intent.parameters[$0] } ?? "–") : text
    }

    private func words(of reason: ReasonDescription) -> String {
        (self.languages + self.others).lazy.compactMap { $0.reasons[reason.name] }.first
            ?? PromptWords.of(name: reason.name)
    }

    private func value(_ value: JSONValue) -> String {
        value.array.map(self.list) ?? PromptWords.of(value)
    }

    private func list(_ values: [JSONValue]) -> String {
        let texts = values.map(PromptWords.of)
        guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
        let or = self.general(.or, in: self.languages + self.others) ?? "or"
        return texts.dropLast().joined(separator: ", ") + " \(or) " + last
    }
}
