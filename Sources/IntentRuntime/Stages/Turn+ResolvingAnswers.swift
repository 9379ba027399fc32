internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Takes an answer to a prompt about a value (R22).
    func resolve(_ answer: Answer, to prompt: Prompt) async throws {
        self.setParameters(answer.corrections)
        guard let interaction = self.interaction, let name = prompt.parameter,
            let registration = self.environment.registry[interaction.intent.name]?.registration,
            let parameter = registration.parameters.first(where: { $0.name == name })
        else {
            try await self.resolveParameters()
            return
        }
        if answer.corrections[name] == nil {
            switch self.replacement(for: prompt, by: answer) {
            case .value(let value): self.replace(parameter, at: prompt.index, by: value, registration.parameters)
            case .yes: self.acceptItem(of: prompt, parameter: parameter, registration.parameters)
            case .anotherValue:
                self.ask(.needsValue, parameter: name, index: prompt.index)
                return
            case .sameAgain:
                // Nothing but corrections of other parameters: they are resolved, and the question stands.
                guard answer.corrections.isEmpty else { break }
                self.ask(
                    prompt.kind,
                    parameter: name,
                    index: prompt.index,
                    options: prompt.options,
                    item: prompt.item,
                    reason: prompt.reason
                )
                return
            }
        }
        try await self.resolveParameters()
    }

    private enum Replacement {
        case value(JSONValue)
        case yes
        case anotherValue
        case sameAgain
    }

    /// What an answer says about the value in question.
    private func replacement(for prompt: Prompt, by answer: Answer) -> Replacement {
        if answer.action == .decline { return answer.corrections.isEmpty ? .anotherValue : .sameAgain }
        if let value = answer.value { return .value(value) }
        if let choice = answer.choice {
            return prompt.options.indices.contains(choice) ? .value(prompt.options[choice]) : .sameAgain
        }
        return prompt.kind == .confirmationRequired && prompt.item != nil ? .yes : .sameAgain
    }

    /// Puts a value in the place that was asked about; it goes through the resolver again.
    private func replace(
        _ parameter: ParameterDescription,
        at index: Int?,
        by value: JSONValue,
        _ parameters: [ParameterDescription]
    ) {
        guard var interaction = self.interaction else { return }
        let confirmed = interaction.confirmed[parameter.name]
        if let index, var values = interaction.intent.parameters[parameter.name]?.array, values.indices.contains(index),
            value.array == nil
        {
            values[index] = value
            interaction.set(parameter, to: .array(values))
            interaction.unsettle(parameter.name, parameters)
            interaction.confirmed[parameter.name] = confirmed
            interaction.confirmed[parameter.name]?[index] = nil
        } else {
            interaction.set(parameter, to: value)
            interaction.unsettle(parameter.name, parameters)
        }
        self.interaction = interaction
    }

    /// A yes settles the value without asking the resolver again, until it changes (R19).
    private func acceptItem(of prompt: Prompt, parameter: ParameterDescription, _ parameters: [ParameterDescription]) {
        guard let item = prompt.item else { return }
        self.replace(parameter, at: prompt.index, by: item, parameters)
        guard var interaction = self.interaction else { return }
        if let index = prompt.index {
            interaction.confirmed[parameter.name, default: [:]][index] = item
        } else {
            interaction.settle(parameter.name)
        }
        self.interaction = interaction
    }
}
