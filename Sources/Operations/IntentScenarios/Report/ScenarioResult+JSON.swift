internal import IntentEvents
package import IntentKit
internal import IntentRuntime

extension ScenarioResult {
    /// The result without its events, as one process gives it to another.
    package var json: JSONValue {
        var members: JSONObject = [
            "interaction": self.interactionID.json,
            "milliseconds": .integer(self.duration.milliseconds),
            "prompts": .array(self.promptNames.map(JSONValue.string)),
        ]
        switch self.outcome {
        case .matched: break
        case .mismatched(let differences): members["differences"] = .array(differences.map(JSONValue.string))
        case .executionError(let message): members["message"] = .string(message)
        }
        return .object(members)
    }

    /// Reads the result of a scenario; nil when it is none.
    package init?(_ json: JSONValue, of scenario: Scenario) {
        guard let id = json["interaction"]?.string, let milliseconds = json["milliseconds"]?.integer else { return nil }
        let outcome: ScenarioOutcome =
            if let message = json["message"]?.string {
                .executionError(message)
            } else if let differences = json["differences"]?.array {
                .mismatched(differences.compactMap(\.string))
            } else {
                .matched
            }
        self.init(
            scenario: scenario,
            interactionID: InteractionID(id),
            outcome: outcome,
            transcript: ConversationTranscript(),
            duration: .milliseconds(milliseconds)
        )
        self.promptNames = (json["prompts"]?.array ?? []).compactMap(\.string)
    }
}
