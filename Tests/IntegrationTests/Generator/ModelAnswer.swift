import IntentKit

/// A user's answer to a prompt.
struct ModelAnswer: Sendable {
    /// The answer itself.
    enum Reply: Sendable {
        /// This value.
        case value(JSONValue)
        /// The option at that index.
        case choice(Int)
        /// The option at that index, by its number from 1 (R71d).
        case number(Int)
        /// Yes.
        case yes
        /// No.
        case no
        /// Never mind.
        case cancel
    }

    var reply: Reply
    var corrections: JSONObject = [:]

    /// Whether it says nothing about the parameter that was asked for (R22).
    func onlyCorrectsOthers(than parameter: String?) -> Bool {
        guard case .yes = self.reply, !self.corrections.isEmpty else { return false }
        return parameter.flatMap { self.corrections[$0] } == nil
    }

    /// The event's data, without the prompt.
    var data: JSONObject {
        var data: JSONObject
        switch self.reply {
        case .value(let value): data = ["action": "accept", "value": value]
        case .choice(let index): data = ["action": "accept", "choice": .integer(Int64(index))]
        case .number(let index): data = ["action": "accept", "value": .string("\(index + 1).")]
        case .yes: data = ["action": "accept"]
        case .no: data = ["action": "decline"]
        case .cancel: data = ["action": "cancel"]
        }
        if !self.corrections.isEmpty { data["corrections"] = .object(self.corrections) }
        return data
    }
}
