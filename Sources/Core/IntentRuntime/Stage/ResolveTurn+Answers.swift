internal import IntentKit

extension ResolveTurn {
    /// Receives an answer to a prompt about a value (R22).
    func receive(_ answer: Answer, to prompt: Prompt, _ interaction: inout Interaction) async throws {
        interaction.set(answer.corrections, in: self.turn.environment, reading: self.turn)
        guard let name = prompt.parameter,
            let registration = self.turn.registered(interaction)?.registration,
            let parameter = registration.parameters.first(where: { $0.name == name })
        else {
            try await self.resolveParameters(&interaction)
            return
        }
        let replacement =
            answer.corrections[name] == nil
            ? self.replacement(for: prompt, of: parameter, registration, by: answer, interaction) : nil
        let isAnswer = !self.turn.environment.countsByQuestion || !answer.onlyCorrectsOthers(than: name)
        if self.turn.environment.remembersRefusals, isAnswer {
            interaction.again[self.turn.question(of: prompt)] = replacement?.problem ?? .notAccepted
        }
        if replacement?.problem == .declined,
            self.isOffer(prompt, of: name, registration, isOfLaterStage: interaction.asked[name] != nil)
        {
            self.turn.declinedOffer = (name, prompt.index)
            interaction.decline(prompt, parameter, registration.parameters)
            try await self.resolveParameters(&interaction)
            return
        }
        switch replacement {
        case .value(let value):
            self.turn.answeredParameter = name
            interaction.forgetWords(of: name, at: value.array == nil ? prompt.index : nil)
            let named = interaction.named(value, parameter, in: self.turn.environment, reading: self.turn)
            interaction.replace(parameter, at: prompt.index, by: named, registration.parameters)
        case .option(let option):
            self.turn.answeredParameter = name
            interaction.forgetWords(of: name, at: prompt.index)
            interaction.replace(parameter, at: prompt.index, by: option.value, registration.parameters)
            interaction.remember(option, for: parameter, at: prompt.index)
        case .among(let options):
            try await self.turn.ask(
                &interaction,
                .disambiguation,
                parameter: name,
                index: prompt.index,
                options: options,
                item: answer.value.map { ParameterOption($0) },
                again: .notAccepted
            )
            return
        case .yes: interaction.acceptItem(of: prompt, parameter, registration.parameters)
        case .anotherValue:
            if let question = interaction.asked[name] {
                interaction.asked[name] = BackQuestion(.needsValue, by: question.stage, index: prompt.index)
            }
            try await self.turn.ask(&interaction, .needsValue, parameter: name, index: prompt.index, again: .declined)
            return
        case .sameAgain(let again) where answer.corrections.isEmpty:
            try await self.turn.ask(
                &interaction,
                prompt.kind,
                parameter: name,
                index: prompt.index,
                options: prompt.offered,
                item: prompt.offeredItem,
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

    /// Whether a prompt offers what the handler has found: after a decline it is asked again, and may offer others.
    private func isOffer(
        _ prompt: Prompt,
        of name: String,
        _ registration: IntentRegistration,
        isOfLaterStage: Bool
    ) -> Bool {
        // For a value of a list that a later stage cannot use, the resolver has nothing else to offer.
        guard self.turn.environment.asksResolverAfterDecline, !isOfLaterStage || prompt.index == nil,
            prompt.kind == .disambiguation || prompt.kind == .confirmationRequired
        else { return false }
        return registration.constraints[name]?.isResolvedByHandler ?? false
    }

    private enum Replacement {
        case value(JSONValue)
        case option(ParameterOption)
        /// The user has to choose again, among fewer.
        case among([ParameterOption])
        case yes
        case anotherValue
        case sameAgain(AskedAgain)

        /// What is wrong with the answer, if its parameter has to be asked for again.
        var problem: AskedAgain {
            switch self {
            case .value, .option, .among, .yes: .notAccepted
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
        by answer: Answer,
        _ interaction: Interaction
    ) -> Replacement {
        let declined = answer.corrections.isEmpty ? Replacement.anotherValue : .sameAgain(.declined)
        if answer.action == .decline { return declined }
        if self.turn.environment.showsDisplays {
            let constraints = registration.constraints[parameter.name]
            let meaning = Self.meaning(of: answer, at: prompt, of: parameter, constraints, locale: interaction.locale)
            guard case .value(.string(let text)) = meaning, self.asksForYes(prompt, parameter),
                !parameter.accepts(.string(text)), let isYes = self.turn.isYes(text, in: interaction)
            else { return meaning }
            return isYes ? .yes : declined
        }
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
        return Self.replacementWithoutValue(for: prompt)
    }

    /// Whether a prompt can be answered with a yes or a no; where that is the parameter's value, it is no answer to it.
    private func asksForYes(_ prompt: Prompt, _ parameter: ParameterDescription) -> Bool {
        prompt.kind == .confirmationRequired && prompt.item != nil && parameter.typeName != Bool.typeName
    }

    /// The new value in an answer that is no decline: an option, by whatever the user calls it, or another value (R71).
    private static func meaning(
        of answer: Answer,
        at prompt: Prompt,
        of parameter: ParameterDescription,
        _ constraints: ParameterConstraints?,
        locale: String
    ) -> Replacement {
        let offered = prompt.offered
        if let value = answer.value {
            let offer = PromptOffer(prompt.options, displays: prompt.displays, of: parameter, constraints)
            let meant = offer.options(meantBy: value, locale: locale)
            if meant.count == 1 { return .option(offered[meant[0]]) }
            return meant.isEmpty || !answer.corrections.isEmpty ? .value(value) : .among(meant.map { offered[$0] })
        }
        guard let choice = answer.choice else { return Self.replacementWithoutValue(for: prompt) }
        return offered.indices.contains(choice)
            ? .option(offered[choice]) : .sameAgain(.noSuchChoice(choice, of: offered.count))
    }

    private static func replacementWithoutValue(for prompt: Prompt) -> Replacement {
        prompt.kind == .confirmationRequired && prompt.item != nil ? .yes : .sameAgain(.noAnswer)
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
            let displays = self.displays
            self.set(parameter, to: .array(values))
            self.displays = displays
            self.displays[Prompt.subject(parameter.name, index)] = nil
            self.unsettle(parameter.name, parameters)
            self.confirmed[parameter.name] = confirmed
            self.confirmed[parameter.name]?[index] = nil
        } else {
            self.set(parameter, to: value)
            self.unsettle(parameter.name, parameters)
        }
    }

    /// Remembers what the user does not want, and removes the value.
    ///
    /// A value of a list stays, since it says what the offer was for.
    fileprivate mutating func decline(
        _ prompt: Prompt,
        _ parameter: ParameterDescription,
        _ parameters: [ParameterDescription]
    ) {
        let offered = prompt.kind == .disambiguation ? prompt.options : [prompt.item].compactMap(\.self)
        self.declined[parameter.name, default: DeclinedValues()].append(offered)
        guard prompt.index == nil else { return }
        self.forgetWords(of: parameter.name)
        self.set(parameter, to: .null)
        self.unsettle(parameter.name, parameters)
    }

    /// Remembers the words with which a value was chosen, for later dialogs.
    fileprivate mutating func remember(_ option: ParameterOption, for parameter: ParameterDescription, at index: Int?) {
        guard let display = option.display, self.refused[parameter.name] == nil else { return }
        self.displays[Prompt.subject(parameter.name, index ?? (parameter.isList ? 0 : nil))] = display
    }

    /// A yes settles the value without asking the resolver again, until it changes (R19).
    fileprivate mutating func acceptItem(
        of prompt: Prompt,
        _ parameter: ParameterDescription,
        _ parameters: [ParameterDescription]
    ) {
        guard let item = prompt.item else { return }
        self.replace(parameter, at: prompt.index, by: item, parameters)
        self.remember(ParameterOption(item, display: prompt.itemDisplay), for: parameter, at: prompt.index)
        self.recordAccepted(item, for: parameter.name)
        if let index = prompt.index {
            self.confirmed[parameter.name, default: [:]][index] = item
        } else {
            self.settle(parameter.name)
        }
    }
}
