internal import IntentKit

extension ResolveTurn {
    /// Receives an answer to a prompt about a value (R22).
    func receive(_ answer: Answer, to prompt: Prompt, _ interaction: inout Interaction) async throws {
        interaction.set(answer.corrections, in: self.turn.environment)
        guard let name = prompt.parameter,
            let registration = self.turn.registered(interaction)?.registration,
            let parameter = registration.parameters.first(where: { $0.name == name })
        else {
            try await self.resolveParameters(&interaction)
            return
        }
        let replacement =
            answer.corrections[name] == nil
            ? self.replacement(for: prompt, of: parameter, registration, by: answer) : nil
        if self.turn.environment.remembersRefusals {
            interaction.again[Prompt.subject(name, prompt.index)] = replacement?.problem ?? .notAccepted
        }
        switch replacement {
        case .value(let value):
            self.turn.answeredParameter = name
            let named = interaction.named(value, parameter, in: self.turn.environment)
            interaction.replace(parameter, at: prompt.index, by: named, registration.parameters)
        case .yes: interaction.acceptItem(of: prompt, parameter, registration.parameters)
        case .anotherValue:
            try await self.turn.ask(&interaction, .needsValue, parameter: name, index: prompt.index, again: .declined)
            return
        case .sameAgain(let again) where answer.corrections.isEmpty:
            try await self.turn.ask(
                &interaction,
                prompt.kind,
                parameter: name,
                index: prompt.index,
                options: prompt.options,
                item: prompt.item,
                reason: prompt.reason,
                words: prompt.dialog,
                again: again
            )
            return
        case .sameAgain, nil:
            // Corrections alone: they are resolved, and this parameter after them.
            break
        }
        try await self.resolveParameters(&interaction)
    }

    private enum Replacement {
        case value(JSONValue)
        case yes
        case anotherValue
        case sameAgain(AskedAgain)

        /// What is wrong with the answer, if its parameter has to be asked for again.
        var problem: AskedAgain {
            switch self {
            case .value, .yes: .notAccepted
            case .anotherValue: .declined
            case .sameAgain(let again): again
            }
        }
    }

    /// The new value in an answer.
    private func replacement(
        for prompt: Prompt,
        of parameter: ParameterDescription,
        _ registration: IntentRegistration,
        by answer: Answer
    ) -> Replacement {
        if answer.action == .decline { return answer.corrections.isEmpty ? .anotherValue : .sameAgain(.declined) }
        if let value = answer.value {
            // The text is not the value's name on the wire, but the words with which it was offered.
            if let text = value.string, !parameter.accepts(value) {
                let offer = PromptOffer(prompt.options, of: parameter, registration.constraints[parameter.name])
                if let option = offer.option(called: text) { return .value(option) }
            }
            return .value(value)
        }
        if let choice = answer.choice {
            return prompt.options.indices.contains(choice)
                ? .value(prompt.options[choice]) : .sameAgain(.noSuchChoice(choice, of: prompt.options.count))
        }
        return prompt.kind == .confirmationRequired && prompt.item != nil ? .yes : .sameAgain(.noAnswer)
    }
}

extension Interaction {
    /// Replaces the value that was asked about; it goes through the resolver again.
    fileprivate mutating func replace(
        _ parameter: ParameterDescription,
        at index: Int?,
        by value: JSONValue,
        _ parameters: [ParameterDescription]
    ) {
        let confirmed = self.confirmed[parameter.name]
        if let index, var values = self.intent.parameters[parameter.name]?.array, values.indices.contains(index),
            value.array == nil
        {
            values[index] = value
            self.set(parameter, to: .array(values))
            self.unsettle(parameter.name, parameters)
            self.confirmed[parameter.name] = confirmed
            self.confirmed[parameter.name]?[index] = nil
        } else {
            self.set(parameter, to: value)
            self.unsettle(parameter.name, parameters)
        }
    }

    /// A yes settles the value without asking the resolver again, until it changes (R19).
    fileprivate mutating func acceptItem(
        of prompt: Prompt,
        _ parameter: ParameterDescription,
        _ parameters: [ParameterDescription]
    ) {
        guard let item = prompt.item else { return }
        self.replace(parameter, at: prompt.index, by: item, parameters)
        self.recordAccepted(item, for: parameter.name)
        if let index = prompt.index {
            self.confirmed[parameter.name, default: [:]][index] = item
        } else {
            self.settle(parameter.name)
        }
    }
}
