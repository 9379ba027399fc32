import IntentEvents
package import IntentKit

extension Scenario {
    /// The scenario in the form of a file's line.
    package var json: JSONValue {
        var user = self.userDetails
        user["id"] = self.userID.json
        return .members([
            "name": .string(self.name),
            "user": self.userDetails.isEmpty ? self.userID.json : .object(user),
            "locale": self.locale.map(JSONValue.string),
            "timeZone": self.timeZone.map(JSONValue.string),
            "device": self.device,
            "groupIdentifier": self.groupIdentifier.map(JSONValue.string),
            "expiresAt": self.expiresAt.map(JSONValue.string),
            "intent": self.intent.json,
            "answers": self.answers.isEmpty ? nil : .object(self.answers),
            "volunteered": self.volunteered.isEmpty ? nil : .object(self.volunteered),
            "choices": self.choices.isEmpty ? nil : .object(self.choices.mapValues(\.json)),
            "confirmations": self.confirmations.isEmpty ? nil : .array(self.confirmations.map(\.json)),
            "steps": self.steps.map { .array($0.map(\.json)) },
            "service": self.service.map(JSONValue.string),
            "expect": self.expect == ScenarioExpectation() ? nil : self.expect.json,
        ])
    }
}

extension ScenarioChoice {
    fileprivate var json: JSONValue {
        switch self {
        case .index(let index): .integer(Int64(index))
        case .text(let text): .string(text)
        }
    }
}

extension ScenarioConfirmation {
    fileprivate var json: JSONValue {
        .members([
            "action": .string(self.action.rawValue),
            "corrections": self.corrections.isEmpty ? nil : .object(self.corrections),
        ])
    }
}

extension ScenarioStep {
    fileprivate var json: JSONValue {
        func number(_ value: Int?) -> JSONValue? { value.map { .integer(Int64($0)) } }
        return .members([
            "type": .string(self.type),
            "data": self.data.isEmpty ? nil : .object(self.data),
            "afterPrompt": number(self.afterPrompt),
            "afterResponse": number(self.afterResponse),
            "afterRejection": number(self.afterRejection),
            "prompt": number(self.prompt),
            "repeat": self.repetitions == 1 ? nil : number(self.repetitions),
            "from": self.from?.json,
            "subject": self.subject?.json,
        ])
    }
}

extension ScenarioExpectation {
    fileprivate var json: JSONValue {
        func texts(_ values: [String]?) -> JSONValue? { values.map { .array($0.map(JSONValue.string)) } }
        return .members([
            "code": self.code.map { code in
                switch code {
                case .named(let name): .string(name)
                case .none: .null
                }
            },
            "status": self.status.map(JSONValue.string),
            "endReason": self.endReason.map(JSONValue.string),
            "parameters": self.parameters.map(JSONValue.object),
            "prompts": texts(self.prompts),
            "rejections": texts(self.rejections),
            "effects": texts(self.effects),
            "started": texts(self.started),
            "ignoredParameters": texts(self.ignoredParameters),
            "warnings": texts(self.warnings),
        ])
    }
}
