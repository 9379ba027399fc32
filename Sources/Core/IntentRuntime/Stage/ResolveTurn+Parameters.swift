internal import IntentEvents
internal import IntentKit

extension ResolveTurn {
    /// Resolves parameters one at a time in declared order until all are settled or the user has to be asked (R18).
    ///
    /// - Throws: What a resolver throws; ``ResolutionError`` when it breaks the rules.
    func resolveParameters(_ interaction: inout Interaction) async throws {
        let name = interaction.intent.name
        guard let entry = self.turn.registered(interaction) else {
            try await self.turn.end(&interaction, .unsupportedIntent)
            return
        }
        // A resolver that changes its value on each call, or two that unsettle each other, would loop forever.
        var steps = 0
        var answered: [String: ParameterOutcome] = [:]
        while let index = interaction.firstUnsettled(of: entry.registration.parameters) {
            let parameter = entry.registration.parameters[index]
            steps += 1
            guard steps <= 10 * entry.registration.parameters.count else {
                throw ResolutionError(
                    description:
                        "The parameters of \(name) do not settle: \(parameter.name) is resolved again and again."
                )
            }
            if let item = interaction.refused[parameter.name] {
                let meant = interaction.meanings(of: item, parameter, in: self.turn.environment)
                try await self.turn.ask(
                    &interaction,
                    meant.count > 1 ? .disambiguation : .unsupported,
                    parameter: parameter.name,
                    options: meant,
                    item: ParameterOption(item)
                )
                return
            }
            if let question = interaction.asked[parameter.name] {
                try await self.put(question, about: parameter, &interaction)
                return
            }
            self.turn.recordHandler(entry)
            guard try await self.resolve(parameter, of: entry.registration, &interaction, &answered) else { return }
        }
        interaction.intent = entry.registration.complete(interaction.intent)
        // Nothing is ambiguous any more, in lists neither.
        interaction.ambiguous = [:]
        self.turn.pass(interaction, as: .intentResolved)
    }

    /// Puts the question with which a later stage has sent the interaction back (R72c).
    private func put(
        _ question: BackQuestion,
        about parameter: ParameterDescription,
        _ interaction: inout Interaction
    ) async throws {
        let value = interaction.intent.parameters[parameter.name]
        let elements = value?.array ?? []
        let element = question.index.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        let display = interaction.displays[Prompt.subject(parameter.name, question.index)]
        let said = (element ?? value).map { ParameterOption($0, display: display) }
        try await self.turn.ask(
            &interaction,
            question.kind,
            parameter: parameter.name,
            index: question.index,
            options: question.options,
            item: question.kind == .needsValue ? nil : question.item ?? said,
            reason: question.reason,
            words: question.dialog,
            unlessAnswered: .notUsable(by: question.stage)
        )
    }

    /// Resolves one parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - registration: The intent's registration.
    ///   - interaction: The interaction.
    ///   - answered: Answers that came together with others before, for parameters that this turn had not reached yet.
    /// - Returns: Whether it is settled; if not, the user has been asked.
    /// - Throws: What the resolver throws; ``ResolutionError``.
    private func resolve(
        _ parameter: ParameterDescription,
        of registration: IntentRegistration,
        _ interaction: inout Interaction,
        _ answered: inout [String: ParameterOutcome]
    ) async throws -> Bool {
        let outcome = try await self.outcome(of: parameter, registration, interaction, &answered)
        switch outcome {
        case nil:
            interaction.settle(parameter.name)
            return true
        case .single(let outcome) where self.repeatsDeclined(outcome, parameter.name, nil, interaction):
            try await self.turn.ask(&interaction, .needsValue, parameter: parameter.name, again: .declined)
            return false
        case .single(let outcome):
            return try await self.settle(parameter, of: registration, &interaction, outcome)
        case .perValue(let outcomes):
            return try await self.settle(parameter, of: registration, &interaction, outcomes)
        }
    }

    /// Calls the resolver; values of a list that have the wrong type are refused without it (R25).
    private func outcome(
        of parameter: ParameterDescription,
        _ registration: IntentRegistration,
        _ interaction: Interaction,
        _ answered: inout [String: ParameterOutcome]
    ) async throws -> ParameterOutcome? {
        var intent = interaction.intent
        let values = parameter.isList ? intent.parameters[parameter.name]?.array ?? [] : []
        let accepted = values.filter(parameter.accepts)
        let isMixed = accepted.count < values.count
        func unread(_ value: JSONValue) -> ResolutionOutcome {
            let meant = interaction.meanings(of: value, parameter, in: self.turn.environment)
            return meant.count > 1 ? .disambiguation(meant) : .unsupported(nil)
        }
        guard !isMixed || !accepted.isEmpty else { return .perValue(values.map(unread)) }
        let context = self.turn.context(for: interaction)
        let outcome: ParameterOutcome?
        if let resolveAll = registration.resolveAll {
            if answered[parameter.name] == nil {
                let open = interaction.openParameters(of: registration.parameters)
                let accepted = Self.accepted(intent, registration.parameters)
                answered = try await self.turn.calling { try await resolveAll(open, accepted, context) }
                self.turn.handlerAnswered()
            }
            outcome = answered.removeValue(forKey: parameter.name)
        } else {
            if isMixed { intent.parameters[parameter.name] = .array(accepted) }
            outcome = try await self.turn.calling { [intent] in
                try await registration.resolve(parameter.name, intent, context)
            }
            self.turn.handlerAnswered()
        }
        guard isMixed else { return outcome }
        var outcomes: ArraySlice<ResolutionOutcome>
        switch outcome {
        case nil: outcomes = accepted.map(ResolutionOutcome.success)[...]
        case .single: return outcome
        case .perValue(let found) where found.count == accepted.count: outcomes = found[...]
        case .perValue: return outcome
        }
        return .perValue(values.map { parameter.accepts($0) ? outcomes.removeFirst() : unread($0) })
    }

    /// The intent without list values of the wrong type.
    private static func accepted(_ intent: IntentSnapshot, _ parameters: [ParameterDescription]) -> IntentSnapshot {
        var intent = intent
        for parameter in parameters where parameter.isList {
            guard let values = intent.parameters[parameter.name]?.array else { continue }
            intent.parameters[parameter.name] = .array(values.filter(parameter.accepts))
        }
        return intent
    }

    private func settle(
        _ parameter: ParameterDescription,
        of registration: IntentRegistration,
        _ interaction: inout Interaction,
        _ outcome: ResolutionOutcome
    ) async throws -> Bool {
        let name = parameter.name
        let settled = interaction.settledBefore(outcome, of: name) ?? outcome.normalized
        switch settled.wordless {
        case .ending(let ending):
            try await self.end(&interaction, with: ending, resolving: name, of: registration)
            return false
        case .success(let value):
            if interaction.intent.parameters[name] != value {
                interaction.intent.parameters[name] = value
                interaction.forgetDisplays(of: name)
                interaction.unsettle(name, registration.parameters)
            }
            interaction.settle(name)
            return true
        case .notRequired:
            interaction.intent.parameters[name] = nil
            interaction.forgetDisplays(of: name)
            interaction.settle(name)
            return true
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported, .saying:
            let item = interaction.intent.parameters[name]
            try await self.ask(&interaction, outcome, parameter: name, index: nil, item: item)
            return false
        }
    }

    /// Settles a list: one outcome for each value in the same order (R20).
    private func settle(
        _ parameter: ParameterDescription,
        of registration: IntentRegistration,
        _ interaction: inout Interaction,
        _ outcomes: [ResolutionOutcome]
    ) async throws -> Bool {
        let name = parameter.name
        func isOfWhole(_ outcome: ResolutionOutcome) -> Bool {
            outcome == .needsValue || outcome == .notRequired || outcome.ending != nil
        }
        if let whole = outcomes.first(where: { isOfWhole($0.wordless) }) {
            return try await self.settle(parameter, of: registration, &interaction, whole)
        }
        var values = interaction.intent.parameters[name]?.array ?? []
        if values.isEmpty, outcomes.count == 1 {
            // Nothing was said: a single result is a guess, or says why none can be made (behaviours 15 and 36).
            guard !self.repeatsDeclined(outcomes[0], name, nil, interaction) else {
                try await self.turn.ask(&interaction, .needsValue, parameter: name, again: .declined)
                return false
            }
            let outcome = Self.speakingForList(outcomes[0])
            return try await self.settle(parameter, of: registration, &interaction, outcome)
        }
        guard outcomes.count == values.count else {
            throw ResolutionError(
                description:
                    "The resolver of \(name) gave \(outcomes.count) results for \(values.count) values; it gives "
                    + "one for each, or needsValue or notRequired for the whole (R20)."
            )
        }
        var open: Int?
        for (index, outcome) in outcomes.enumerated() {
            if case .success(let value) = interaction.settledBefore(outcome, of: name) ?? outcome,
                !self.repeatsDeclined(outcome, name, index, interaction)
            {
                if values[index] != value { interaction.displays[Prompt.subject(name, index)] = nil }
                values[index] = value
                interaction.forgetAttempts(at: Prompt.subject(name, index))
            } else if interaction.confirmed[name]?[index] == values[index] {
                interaction.forgetAttempts(at: Prompt.subject(name, index))
            } else if open == nil {
                open = index
            }
        }
        if interaction.intent.parameters[name]?.array ?? [] != values {
            let confirmed = interaction.confirmed[name]
            interaction.intent.parameters[name] = .array(values)
            interaction.unsettle(name, registration.parameters)
            interaction.confirmed[name] = confirmed
        }
        guard let open else {
            interaction.settle(name)
            return true
        }
        if self.repeatsDeclined(outcomes[open], name, open, interaction) {
            try await self.turn.ask(&interaction, .needsValue, parameter: name, index: open, again: .declined)
        } else {
            try await self.ask(&interaction, outcomes[open], parameter: name, index: open, item: values[open])
        }
        return false
    }

    /// Whether an outcome only has values that the user has declined, or none, although the user has given no other (R72a).
    private func repeatsDeclined(
        _ outcome: ResolutionOutcome,
        _ name: String,
        _ index: Int?,
        _ interaction: Interaction
    ) -> Bool {
        guard let declined = interaction.declined[name],
            self.isDeclined(name, index) || interaction.intent.parameters[name] == nil
        else { return false }
        switch outcome.normalized.wordless {
        case .success(let value): return declined.contains(value)
        case .confirmationRequired(let option, _): return declined.contains(option.value)
        case .disambiguation(let options): return options.allSatisfy { declined.contains($0.value) }
        // The user has said something, and only declined what it was taken for.
        case .notRequired: return interaction.intent.parameters[name] == nil
        case .needsValue, .unsupported, .saying, .ending: return false
        }
    }

    /// Whether the turn's event declines an offer of that value.
    private func isDeclined(_ name: String, _ index: Int?) -> Bool {
        self.turn.declinedOffer.map { $0.parameter == name && $0.index == index } ?? false
    }

    /// An outcome for one value, applied to a list that has no value yet.
    private static func speakingForList(_ outcome: ResolutionOutcome) -> ResolutionOutcome {
        switch outcome {
        case .success(let value): .success([value])
        case .notRequired, .needsValue, .disambiguation, .confirmationRequired, .unsupported, .saying, .ending: outcome
        }
    }

    /// Ends the interaction with a resolver's response (R72b).
    private func end(
        _ interaction: inout Interaction,
        with ending: ResolutionEnding,
        resolving name: String,
        of registration: IntentRegistration
    ) async throws {
        let code = ending.response.code
        let isOwn = ending.intentName == nil || ending.intentName == registration.intentName
        let isAppOnly = code.map(registration.appOnlyCodes.contains) ?? false
        guard isOwn, ResolutionEnding.allows(code: code), !isAppOnly else {
            let given = (isOwn ? "" : "\(ending.intentName ?? ""), ") + (code ?? "no code")
            throw ResolutionError(
                description:
                    "The resolver of \(name) ends with \(given); it ends with a code of \(registration.intentName) that "
                    + "begins with failure, or with continueInApp."
            )
        }
        try await self.turn.end(&interaction, EndReason(of: ending.response), response: ending.response)
    }

    /// Makes the prompt for an outcome.
    private func ask(
        _ interaction: inout Interaction,
        _ outcome: ResolutionOutcome,
        parameter: String,
        index: Int?,
        item: JSONValue?
    ) async throws {
        let display = interaction.displays[Prompt.subject(parameter, index)]
        let said = item.map { ParameterOption($0, display: display) }
        let words = outcome.words?.text(locale: interaction.locale)
        let again: AskedAgain? = self.isDeclined(parameter, index) ? .declined : nil
        switch outcome.normalized.wordless {
        case .success, .notRequired, .saying, .ending: break
        case .needsValue:
            try await self.turn.ask(
                &interaction,
                .needsValue,
                parameter: parameter,
                index: index,
                words: words,
                again: again
            )
        case .disambiguation(let options):
            try await self.turn.ask(
                &interaction,
                .disambiguation,
                parameter: parameter,
                index: index,
                options: options,
                item: said,
                words: words
            )
        case .confirmationRequired(let option, let reason):
            try await self.turn.ask(
                &interaction,
                .confirmationRequired,
                parameter: parameter,
                index: index,
                item: option,
                reason: reason,
                words: words
            )
        case .unsupported(let reason):
            try await self.turn.ask(
                &interaction,
                .unsupported,
                parameter: parameter,
                index: index,
                item: said,
                reason: reason,
                words: words,
                again: again
            )
        }
    }
}

extension Interaction {
    /// The success of a value that the user said yes to before the request was redriven (R19, R48); nil for all else.
    fileprivate func settledBefore(_ outcome: ResolutionOutcome, of parameter: String) -> ResolutionOutcome? {
        guard case .confirmationRequired(let option, _) = outcome.normalized.wordless,
            self.wasAccepted(option.value, for: parameter)
        else { return nil }
        return .success(option.value)
    }
}

/// A handler broke the rules of resolving.
struct ResolutionError: Error, CustomStringConvertible {
    /// What it did and what would be right.
    var description: String
}
