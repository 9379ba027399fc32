internal import IntentKit
internal import SpokenValues

/// What a prompt accepts as an answer, for clients that do not know the intent (R22).
struct AcceptedAnswer {
    private let prompt: Prompt
    private let registration: IntentRegistration?
    private let readsWords: Bool

    /// Describes the answers to a prompt.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - registration: The intent's registration; nil where no handler supports it.
    ///   - readsWords: Whether words in place of a value are read (R73).
    init(_ prompt: Prompt, _ registration: IntentRegistration?, readsWords: Bool) {
        self.prompt = prompt
        self.registration = registration
        self.readsWords = readsWords
    }

    /// The wire form.
    var json: JSONValue {
        let isAnswered = !self.prompt.kind.waitsForEvent
        let actions: [Answer.Action] = isAnswered ? [.accept, .decline, .cancel] : [.decline, .cancel]
        return .members([
            "actions": .array(actions.map { .string($0.rawValue) }),
            "choices": self.prompt.options.isEmpty ? nil : .integer(Int64(self.prompt.options.count)),
            "event": isAnswered ? nil : .string(self.prompt.kind.awaitedEvent),
            "value": self.value,
        ])
    }

    /// The type and the declared limits of the value that the answer may have.
    private var value: JSONValue? {
        if self.prompt.kind == .intentConfirmation {
            return .members(["list": false, "type": "boolean", "words": self.readsWords ? true : nil])
        }
        guard let parameter = self.registration?.parameters.first(where: { $0.name == self.prompt.parameter }) else {
            return nil
        }
        let known = self.registration?.constraints[parameter.name]
        return .members([
            "list": .bool(parameter.isList && self.prompt.index == nil),
            "maximum": known?.maximum,
            "minimum": known?.minimum,
            "pattern": known?.pattern.map(JSONValue.string),
            "sensitive": parameter.isSensitive ? true : nil,
            "type": .string(parameter.typeName),
            "words": self.readsWords && SpokenReader.reads(parameter.typeName) ? true : nil,
        ])
    }
}
