internal import IntentEvents
package import IntentKit
package import IntentRuntime

/// An interaction that waits for an operator to decide whether its service call took effect (R76).
package struct WaitingInteraction: Sendable {
    package let interaction: Interaction
    /// What it waits for.
    package let wait: HandleWait

    /// The interaction of a state entry; nil when it waits for no operator.
    init?(_ interaction: Interaction) {
        guard let wait = interaction.waiting, wait.reason == .operator else { return nil }
        self.interaction = interaction
        self.wait = wait
    }

    /// What operators see of it.
    package func json(_ masking: Masking) -> JSONValue {
        let intent = self.interaction.intent
        let parameters = JSONValue.object(intent.parameters)
        return .members([
            "interaction": self.interaction.id.json,
            "user": .string(self.interaction.user.id),
            "request": self.interaction.request.json,
            "intent": .string(intent.name),
            "parameters": masking.isRevealed ? parameters : masking.masked(parameters: parameters, of: intent.name),
            "startedAt": .string(self.interaction.startedAt.description),
            "firstTriedAt": .string(self.wait.firstTriedAt.description),
            "attempts": .integer(Int64(self.wait.attempts)),
            "until": .string(self.wait.at.description),
        ])
    }
}
