internal import IntentKit
internal import IntentRuntime

/// Finds what a scenario's user says at a prompt: a value, a choice, a yes or a no (contract, section 14).
struct ScenarioAnswers {
    private let scenario: Scenario
    private var confirmations: ArraySlice<ScenarioConfirmation>
    private var volunteered: JSONObject

    init(_ scenario: Scenario) {
        self.scenario = scenario
        self.confirmations = scenario.confirmations[...]
        self.volunteered = scenario.volunteered
    }

    /// The members of the answer's data; nil when the scenario has none for this prompt.
    mutating func answer(to prompt: JSONValue) -> JSONObject? {
        let parameter = prompt["parameter"]?.string ?? ""
        var answer: JSONObject?
        switch prompt["kind"]?.string.flatMap(PromptKind.init(rawValue:)) {
        case .needsValue, .unsupported: answer = self.value(of: parameter)
        case .disambiguation: answer = self.choice(of: parameter, prompt) ?? self.value(of: parameter)
        case .confirmationRequired: answer = self.confirmation(of: parameter, prompt) ?? self.value(of: parameter)
        case .intentConfirmation: answer = self.nextConfirmation()
        case .unlockRequired, .authenticationRequired, nil: answer = nil
        }
        guard answer != nil, !self.volunteered.isEmpty else { return answer }
        var corrections = self.volunteered
        corrections.merge(answer?["corrections"]?.object ?? [:]) { $1 }
        answer?["corrections"] = .object(corrections)
        self.volunteered = [:]
        return answer
    }

    private func value(of parameter: String) -> JSONObject? {
        self.scenario.answers[parameter].map { ["action": "accept", "value": $0] }
    }

    private func choice(of parameter: String, _ prompt: JSONValue) -> JSONObject? {
        let options = prompt["options"]?.array ?? []
        let index: Int?
        switch self.scenario.choices[parameter] {
        case nil: index = nil
        case .index(let wanted): index = options.indices.contains(wanted) ? wanted : nil
        case .text(let text):
            index = PromptOffer.options(of: prompt, meantBy: .string(text), locale: "en").first
            // A title in another language: the stage knows them all.
            if index == nil, self.scenario.answers[parameter] == nil, options.allSatisfy({ $0.string != nil }) {
                return ["action": "accept", "value": .string(text)]
            }
        }
        return index.map { ["action": "accept", "choice": .integer(Int64($0))] }
    }

    /// A yes to the value in question if it is the chosen one; otherwise `answers` says true or false instead of a
    /// value.
    private func confirmation(of parameter: String, _ prompt: JSONValue) -> JSONObject? {
        let item = prompt["item"] ?? .null
        switch self.scenario.choices[parameter] {
        case .index(0): return ["action": "accept"]
        case .text(let text) where PromptOffer.isItem(of: prompt, called: text, locale: "en"):
            return ["action": "accept"]
        case .index, .text, nil: break
        }
        guard item.bool == nil, let isYes = self.scenario.answers[parameter]?.bool else { return nil }
        return ["action": isYes ? "accept" : "decline"]
    }

    private mutating func nextConfirmation() -> JSONObject? {
        guard let confirmation = self.confirmations.popFirst() else { return nil }
        var answer: JSONObject = ["action": .string(confirmation.action.rawValue)]
        if !confirmation.corrections.isEmpty { answer["corrections"] = .object(confirmation.corrections) }
        return answer
    }
}
