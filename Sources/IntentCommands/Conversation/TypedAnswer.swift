import IntentEvents
import IntentKit
import IntentRuntime

/// What a person types at a prompt, as the data of `prompt.answered`.
struct TypedAnswer {
    /// The intent's parameters, by which values are typed; empty for an intent that is not known here.
    var parameters: [ParameterDescription] = []
    /// What is known of their values, by name.
    var constraints: [String: ParameterConstraints] = [:]
    /// Reads values.
    var text = TypedText()

    /// What can be typed at that prompt, in words.
    func hint(_ prompt: JSONValue) -> String {
        switch prompt["kind"]?.string {
        case "intentConfirmation", "confirmationRequired": "yes, no, cancel, or parameter=value to correct"
        case "disambiguation": "a number, another value, or cancel"
        default:
            Self.isNumbered(prompt["options"]?.array ?? [])
                ? "a number, a value, or cancel"
                : "\(self.expectation(prompt)), or cancel"
        }
    }

    /// The answer's data without the prompt's id and the user.
    ///
    /// - Throws: ``NotUnderstood`` for what no stage could take either; it is not sent, and costs no attempt.
    func data(_ line: String, to prompt: JSONValue) throws(NotUnderstood) -> JSONObject {
        let word = line.trimming
        if let action = Self.action(word) { return ["action": .string(action)] }
        let options = prompt["options"]?.array ?? []
        let asked = self.asked(prompt)
        if let option = self.option(called: word, among: options, prompt) {
            return ["action": "accept", "choice": .integer(Int64(option))]
        }
        if let number = Int(word), Self.isNumbered(options) {
            if number > 0, options.indices.contains(number - 1) {
                return ["action": "accept", "choice": .integer(Int64(number - 1))]
            }
            // A number may be a value itself; else it can only have been meant as a choice.
            guard asked?.accepts(.integer(Int64(number))) ?? false else {
                throw NotUnderstood("there is no choice \(number): it is 1 to \(options.count)")
            }
        }
        if let correction = try self.correction(word) { return correction }
        guard prompt["parameter"]?.string != nil else {
            guard prompt["kind"] != "intentConfirmation" else {
                throw NotUnderstood("'\(word)' is neither yes nor no")
            }
            return ["action": "accept", "value": .string(word)]
        }
        return ["action": "accept", "value": self.text.value(word, for: asked)]
    }

    /// Whether a number means the option at that place: where numbers are offered, it means itself.
    private static func isNumbered(_ options: [JSONValue]) -> Bool {
        options.contains { $0.number == nil }
    }

    /// The place of the option that is called so.
    private func option(called word: String, among options: [JSONValue], _ prompt: JSONValue) -> Int? {
        let name = prompt["parameter"]?.string ?? ""
        let offer = PromptOffer(options, of: self.parameter(name), self.constraints[name])
        return offer.option(called: word).flatMap { options.firstIndex(of: $0) }
    }

    /// What cannot be taken as an answer, and what would be right.
    struct NotUnderstood: Error, Hashable {
        /// What is wrong.
        var message: String

        init(_ message: String) { self.message = message }
    }

    /// What the words say that are no value.
    private static func action(_ word: String) -> String? {
        switch word.lowercased() {
        case "cancel", "stop", "abbrechen", "abbruch", "stopp": "cancel"
        case "yes", "y", "ok", "okay", "ja", "j": "accept"
        case "no", "n", "nein": "decline"
        default: nil
        }
    }

    /// The parameter that is asked for; of a list one value is asked for, not the list.
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
            // Without a near name the text is a value that happens to have an equals sign.
            guard !hint.isEmpty else { return nil }
            throw NotUnderstood("there is no parameter \(name)\(hint)")
        }
        let value = self.text.value(String(parts[1]).trimming, for: corrected)
        return ["action": "decline", "corrections": .object([corrected.name: value])]
    }

    private func expectation(_ prompt: JSONValue) -> String {
        guard let asked = self.asked(prompt) else { return "a value" }
        let known = self.constraints[asked.name]
        if let values = known?.offered, !values.isEmpty {
            return "one of " + values.map(ConversationText.words).joined(separator: ", ")
        }
        let bounds = Self.bounds(known)
        guard let one = SpokenValue.expectation(asked.typeName) else {
            return (asked.isList ? "values, separated by commas" : "a value") + bounds
        }
        return (asked.isList ? "\(one); several separated by commas" : one) + bounds
    }

    /// What values lie in, as far as it is declared.
    private static func bounds(_ known: ParameterConstraints?) -> String {
        switch (known?.minimum.map(ConversationText.words), known?.maximum.map(ConversationText.words)) {
        case (let least?, let most?): ", from \(least) to \(most)"
        case (let least?, nil): ", \(least) at least"
        case (nil, let most?): ", \(most) at most"
        case (nil, nil): ""
        }
    }
}
