import IntentEvents
import IntentKit
import IntentStore

extension RecordedInteraction {
    /// The interaction for `--json`; nil masks nothing.
    func json(masking sensitive: SensitiveParameters?) -> JSONValue {
        .members([
            "interaction": self.interactionID?.json,
            "request": self.request.json,
            "user": self.userID?.json,
            "intent": self.intent.map(JSONValue.string),
            "status": self.status.map(JSONValue.string),
            "code": self.code.map(JSONValue.string),
            "endReason": self.endReason.map(JSONValue.string),
            "phase": self.phase.map(JSONValue.string),
            "requestedAt": self.requestedAt.map { .string($0.description) },
            "firstPromptAt": self.firstPromptAt.map { .string($0.description) },
            "endedAt": self.endedAt.map { .string($0.description) },
            "milliseconds": self.duration.map(JSONValue.integer),
            "turns": .integer(Int64(self.turns)),
            "prompts": .integer(Int64(self.prompts)),
            "terminalResponses": .integer(Int64(self.terminalResponses)),
            "parameters": self.parameters.map { sensitive?.masked(parameters: $0, of: self.intent) ?? $0 },
        ])
    }
}
