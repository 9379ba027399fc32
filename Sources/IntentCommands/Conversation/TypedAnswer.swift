import IntentEvents
import IntentKit

/// What a person types at a prompt, as the data of `prompt.answered`.
enum TypedAnswer {
    /// What can be typed at that prompt, in words.
    static func hint(_ prompt: JSONValue) -> String {
        switch prompt["kind"]?.string {
        case "intentConfirmation", "confirmationRequired": "yes, no, cancel, or parameter=value to correct"
        case "disambiguation": "a number, another value, or cancel"
        default: "a value, or cancel"
        }
    }

    /// The answer's data without the prompt's id and the user.
    static func data(_ text: String, to prompt: JSONValue, of registration: IntentRegistration?) -> [String: JSONValue]
    {
        func parameter(_ name: String) -> ParameterDescription? {
            registration?.parameters.first { $0.name == name }
        }
        let word = text.trimming
        switch word.lowercased() {
        case "cancel", "stop": return ["action": "cancel"]
        case "yes", "y", "ok": return ["action": "accept"]
        case "no", "n": return ["action": "decline"]
        default: break
        }
        let options = prompt["options"]?.array ?? []
        if let number = Int(word), options.indices.contains(number - 1) {
            return ["action": "accept", "choice": .integer(Int64(number - 1))]
        }
        let parts = word.split(separator: "=", maxSplits: 1)
        if parts.count == 2, let corrected = parameter(String(parts[0]).trimming) {
            let value = TypedText.value(String(parts[1]).trimming, for: corrected)
            return ["action": "decline", "corrections": .object([corrected.name: value])]
        }
        guard let name = prompt["parameter"]?.string else { return ["action": "accept", "value": .string(word)] }
        var asked = parameter(name)
        // One value of a list is asked for, not the list.
        if prompt["index"]?.integer != nil { asked?.isList = false }
        return ["action": "accept", "value": TypedText.value(word, for: asked)]
    }
}
