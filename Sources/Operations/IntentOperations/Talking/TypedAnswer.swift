package import IntentKit
internal import IntentRuntime

/// The input at a prompt, as the data of `prompt.answered`.
package struct TypedAnswer {
    /// The intent's parameters, which determine the types of values; empty for an intent that is not known here.
    package var parameters: [ParameterDescription]
    /// The constraints on their values, by name.
    package var constraints: [String: ParameterConstraints]
    package var locale: String

    package init(
        parameters: [ParameterDescription] = [],
        constraints: [String: ParameterConstraints] = [:],
        locale: String = "en"
    ) {
        self.parameters = parameters
        self.constraints = constraints
        self.locale = locale
    }

    var words: AnswerWords { AnswerWords(locale: self.locale) }

    /// The possible input at that prompt, in words.
    func hint(_ prompt: JSONValue) -> String {
        switch prompt["kind"]?.string {
        case "intentConfirmation", "confirmationRequired": self.words.confirmation
        case "disambiguation": self.words.choice
        default:
            Self.isNumbered(prompt["options"]?.array ?? [])
                ? self.words.offer : self.words.orCancel(self.expectation(prompt))
        }
    }

    /// The completions of the tab key at that prompt.
    package func completion(_ prompt: JSONValue) -> LineCompletion {
        var answers: [String] = []
        if let asked = self.asked(prompt) {
            answers = self.offered(asked, at: prompt)
        }
        let kind = prompt["kind"]?.string
        if kind == "intentConfirmation" || kind == "confirmationRequired" {
            answers = [self.words.yes, self.words.no] + answers
        }
        return LineCompletion(
            answers: answers + [self.words.cancel],
            corrections: self.parameters.map { ($0.name, self.offered($0, at: nil)) }
        )
    }

    /// Values of a parameter in the form of input: the offered ones, else the allowed ones, else usual ones.
    private func offered(_ parameter: ParameterDescription, at prompt: JSONValue?) -> [String] {
        let known = self.constraints[parameter.name]
        let options = prompt?["options"]?.array ?? []
        let values = options.isEmpty ? known?.offered ?? [] : options
        guard !values.isEmpty else { return self.words.usual(parameter.typeName) }
        let shown = (prompt.flatMap(OptionDisplay.all(in:)) ?? []).map(\.text)
        let offer = PromptOffer(values, of: parameter, known)
        // A value that must be written differently from its display cannot be typed like that.
        return (shown.isEmpty ? offer.displays(locale: self.locale).map(\.title) : shown)
            .filter { $0 == SafeText.line($0) }
    }

    /// Whether a line may contain a sensitive value (R40), so that it must not be kept.
    func isSensitive(_ line: String, at prompt: JSONValue) -> Bool {
        let name = prompt["parameter"]?.string ?? ""
        let isKnown = name.isEmpty || self.parameter(name) != nil
        let sensitive = self.parameters.filter(\.isSensitive).map(\.name)
        return !isKnown || self.parameters.isEmpty || sensitive.contains(name)
            || sensitive.contains { line.contains($0) }
    }

    /// The answer's data without the prompt's id and the user.
    ///
    /// - Throws: ``NotUnderstood`` for input that no stage could accept either; it is not sent, and costs no attempt.
    func data(_ line: String, to prompt: JSONValue) throws(NotUnderstood) -> JSONObject {
        let word = line.trimming
        if let action = Self.action(word), action == "cancel" || Self.isQuestion(prompt) {
            return ["action": .string(action)]
        }
        let options = prompt["options"]?.array ?? []
        let asked = self.asked(prompt)
        let meant = self.options(of: prompt, calledBy: word)
        // Where several are meant, or words in another language, the stage finds out.
        if meant.count == 1 { return ["action": "accept", "choice": .integer(Int64(meant[0]))] }
        if meant.isEmpty, let number = Int(word), Self.isNumbered(options) {
            // A number may be a value itself; otherwise it can only be meant as a choice.
            guard asked?.accepts(.integer(Int64(number))) ?? false else {
                throw NotUnderstood(self.words.noChoice(number, of: options.count))
            }
        }
        if let correction = try self.correction(word) { return correction }
        guard prompt["parameter"]?.string != nil else {
            guard prompt["kind"] != "intentConfirmation" else {
                throw NotUnderstood(self.words.notYesOrNo(word))
            }
            return ["action": "accept", "value": .string(word)]
        }
        return ["action": "accept", "value": TypedText.value(word, for: asked)]
    }

    /// Whether the prompt can be answered with yes or no; where a value is asked for, they are values like others.
    private static func isQuestion(_ prompt: JSONValue) -> Bool {
        switch prompt["kind"]?.string {
        case "needsValue", "unsupported": false
        default: true
        }
    }

    /// Whether a number means the option at that index: where numbers are offered, it means itself.
    private static func isNumbered(_ options: [JSONValue]) -> Bool {
        options.contains { $0.number == nil }
    }

    /// The indices of the options that the user may mean by a word.
    private func options(of prompt: JSONValue, calledBy word: String) -> [Int] {
        let name = prompt["parameter"]?.string ?? ""
        return PromptOffer.options(
            of: prompt,
            meantBy: .string(word),
            locale: self.locale,
            of: self.parameter(name),
            self.constraints[name]
        )
    }

    /// The action that the words mean if they are not a value.
    static func action(_ word: String) -> String? {
        switch word.lowercased() {
        case "cancel", "stop", "abbrechen", "abbruch", "stopp", "annuler", "cancelar": "cancel"
        case "yes", "y", "yep", "sure", "ok", "okay", "ja", "j", "jo", "klar", "gerne", "jawohl", "oui", "sí", "si":
            "accept"
        case "no", "n", "nope", "nein", "nee", "nö", "non": "decline"
        default: nil
        }
    }

    /// The parameter that is asked for; for a list one value is asked for, not the list.
    private func asked(_ prompt: JSONValue) -> ParameterDescription? {
        guard let name = prompt["parameter"]?.string else { return nil }
        var asked = self.parameter(name)
        if prompt["index"]?.integer != nil { asked?.isList = false }
        return asked
    }

    private func parameter(_ name: String) -> ParameterDescription? {
        self.parameters.first { $0.name == name }
    }

    private func correction(_ word: String) throws(NotUnderstood) -> JSONObject? {
        let parts = word.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let name = String(parts[0]).trimming
        guard let corrected = self.parameter(name) else {
            let hint = NearMiss.hint(name, among: self.parameters.map(\.name))
            // Without a similar name the text is a value that happens to contain an equals sign.
            guard !hint.isEmpty else { return nil }
            throw NotUnderstood(self.words.noParameter(name, hint))
        }
        let value = TypedText.value(String(parts[1]).trimming, for: corrected)
        return ["action": "decline", "corrections": .object([corrected.name: value])]
    }

    private func expectation(_ prompt: JSONValue) -> String {
        guard let asked = self.asked(prompt) else { return self.words.value(isList: false) }
        let known = self.constraints[asked.name]
        if let values = known?.offered, !values.isEmpty {
            return self.words.oneOf(values.map(AnswerWords.words))
        }
        let bounds = self.words.bounds(
            known?.minimum.map(AnswerWords.words),
            known?.maximum.map(AnswerWords.words)
        )
        guard let one = self.words.expectation(asked.typeName) else {
            return self.words.value(isList: asked.isList) + bounds
        }
        return (asked.isList ? self.words.several(one) : one) + bounds
    }
}
