package import IntentKit
internal import IntentRuntime

/// The input at a prompt, as the data of `prompt.answered`.
package struct TypedAnswer {
    /// The intent's parameters, which determine the types of values; empty for an intent that is not known here.
    package var parameters: [ParameterDescription]
    /// The constraints on their values, by name.
    package var constraints: [String: ParameterConstraints]
    package var locale: String
    private let text = TypedText()

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
            answers = self.offered(asked, among: prompt["options"]?.array)
        }
        let kind = prompt["kind"]?.string
        if kind == "intentConfirmation" || kind == "confirmationRequired" {
            answers = [self.words.yes, self.words.no] + answers
        }
        return LineCompletion(
            answers: answers + [self.words.cancel],
            corrections: self.parameters.map { ($0.name, self.offered($0, among: nil)) }
        )
    }

    /// Values of a parameter in the form of input: the offered ones, else the allowed ones, else usual ones.
    private func offered(_ parameter: ParameterDescription, among options: [JSONValue]?) -> [String] {
        let known = self.constraints[parameter.name]
        let values = options.flatMap { $0.isEmpty ? nil : $0 } ?? known?.offered ?? []
        guard !values.isEmpty else { return self.words.usual(parameter.typeName) }
        let offer = PromptOffer(values, of: parameter, known)
        // A value that must be written differently from its display cannot be typed like that.
        return values.map { offer.words($0, locale: self.locale) }.filter { $0 == SafeText.line($0) }
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
        if let option = self.option(called: word, among: options, prompt) {
            return ["action": "accept", "choice": .integer(Int64(option))]
        }
        if let number = Int(word), Self.isNumbered(options) {
            if number > 0, options.indices.contains(number - 1) {
                return ["action": "accept", "choice": .integer(Int64(number - 1))]
            }
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
        return ["action": "accept", "value": self.text.value(word, for: asked)]
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

    /// The index of the option with that name.
    private func option(called word: String, among options: [JSONValue], _ prompt: JSONValue) -> Int? {
        let name = prompt["parameter"]?.string ?? ""
        let offer = PromptOffer(options, of: self.parameter(name), self.constraints[name])
        return offer.option(called: word).flatMap { options.firstIndex(of: $0) }
    }

    /// The action that the words mean if they are not a value.
    static func action(_ word: String) -> String? {
        switch word.lowercased() {
        case "cancel", "stop", "abbrechen", "abbruch", "stopp": "cancel"
        case "yes", "y", "yep", "sure", "ok", "okay", "ja", "j", "jo", "klar", "gerne", "jawohl": "accept"
        case "no", "n", "nope", "nein", "nee", "nö": "decline"
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
        let value = self.text.value(String(parts[1]).trimming, for: corrected)
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
