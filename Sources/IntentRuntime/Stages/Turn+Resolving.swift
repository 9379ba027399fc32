internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Resolves parameters one at a time in declared order until all are settled or the user has to be asked
    /// (R18).
    ///
    /// - Throws: What a resolver throws; ``ResolutionError`` when it breaks the rules.
    func resolveParameters() async throws {
        guard let name = self.interaction?.intent.name, let entry = self.environment.registry[name] else {
            self.end(.unsupportedIntent)
            return
        }
        // A resolver that changes its value each time it is asked, or two that unsettle each other, would go on for
        // ever.
        var steps = 0
        var answered: [String: ParameterOutcome] = [:]
        while let place = self.firstUnsettled(of: entry.registration.parameters) {
            let parameter = entry.registration.parameters[place]
            steps += 1
            guard steps <= 10 * entry.registration.parameters.count else {
                throw ResolutionError(
                    description:
                        "The parameters of \(name) do not settle: \(parameter.name) is resolved again and again."
                )
            }
            if let item = self.interaction?.refused[parameter.name] {
                self.ask(.unsupported, parameter: parameter.name, item: item)
                return
            }
            guard try await self.resolve(parameter, of: entry.registration, &answered) else { return }
        }
        guard let intent = self.interaction?.intent else { return }
        self.interaction?.intent = entry.registration.complete(intent)
        self.pass(as: .intentResolved)
    }

    /// The place of the first parameter that is not settled yet; nil when all are, and when there is no interaction.
    private func firstUnsettled(of parameters: [ParameterDescription]) -> Int? {
        parameters.firstIndex { !(self.interaction?.isSettled($0.name) ?? true) }
    }

    /// Passes the interaction on: from now on the next stage owns it (R12).
    func pass(as type: EventType) {
        guard let interaction = self.interaction, let topic = self.stage.nextTopic else { return }
        self.emit(type, to: topic) { text in
            text.beginObject()
            text.name("intent")
            interaction.intent.write(to: &text)
            text.name("interaction")
            interaction.write(to: &text)
            text.member(userNamed: interaction.user.id)
            text.endObject()
        }
        self.removeState(StateName.interaction(interaction.request))
        self.remember(interaction, whereabouts: .passed)
        self.record.outcome = .passed
    }

    /// Resolves one parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - registration: The intent's registration.
    ///   - answered: What was answered together with others before, of parameters that this turn had yet to come to.
    /// - Returns: Whether it is settled; if not, the user has been asked.
    /// - Throws: What the resolver throws; ``ResolutionError``.
    private func resolve(
        _ parameter: ParameterDescription,
        of registration: IntentRegistration,
        _ answered: inout [String: ParameterOutcome]
    ) async throws -> Bool {
        guard let intent = self.interaction?.intent else { return false }
        self.noteHandler(registration)
        let outcome = try await self.outcome(of: parameter, registration, intent, &answered)
        switch outcome {
        case nil:
            self.interaction?.settle(parameter.name)
            return true
        case .single(let outcome):
            return self.settle(parameter, of: registration, outcome)
        case .perValue(let outcomes):
            return try self.settle(parameter, of: registration, outcomes)
        }
    }

    /// Asks the resolver; values of a list that have the wrong type are refused without it (R25).
    private func outcome(
        of parameter: ParameterDescription,
        _ registration: IntentRegistration,
        _ intent: IntentSnapshot,
        _ answered: inout [String: ParameterOutcome]
    ) async throws -> ParameterOutcome? {
        let values = parameter.isList ? intent.parameters[parameter.name]?.array ?? [] : []
        let accepted = values.filter(parameter.accepts)
        let isMixed = accepted.count < values.count
        guard !isMixed || !accepted.isEmpty else { return .perValue(values.map { _ in .unsupported(nil) }) }
        guard let context = self.context() else { return nil }
        let outcome: ParameterOutcome?
        if let resolveAll = registration.resolveAll {
            if answered[parameter.name] == nil {
                let open = self.openParameters(of: registration.parameters, intent)
                let accepted = Self.accepted(intent, registration.parameters)
                answered = try await self.calling { try await resolveAll(open, accepted, context) }
                self.handlerAnswered()
            }
            outcome = answered.removeValue(forKey: parameter.name)
        } else {
            var intent = intent
            if isMixed { intent.parameters[parameter.name] = .array(accepted) }
            outcome = try await self.calling { [intent] in try await registration.resolve(parameter.name, intent, context) }
            self.handlerAnswered()
        }
        guard isMixed else { return outcome }
        var outcomes: ArraySlice<ResolutionOutcome>
        switch outcome {
        case nil: outcomes = accepted.map(ResolutionOutcome.success)[...]
        case .single: return outcome
        case .perValue(let found) where found.count == accepted.count: outcomes = found[...]
        case .perValue: return outcome
        }
        return .perValue(values.map { parameter.accepts($0) ? outcomes.removeFirst() : .unsupported(nil) })
    }

    /// The parameters that are not settled, up to the first of which it is known without a resolver that the user will
    /// be asked: the turn goes no further.
    private func openParameters(of parameters: [ParameterDescription], _ intent: IntentSnapshot) -> [String] {
        let open = parameters.filter { !(self.interaction?.isSettled($0.name) ?? true) }
        return
            open.prefix { parameter in
                let values = parameter.isList ? intent.parameters[parameter.name]?.array ?? [] : []
                return self.interaction?.refused[parameter.name] == nil
                    && (values.isEmpty || values.contains(where: parameter.accepts))
            }
            .map(\.name)
    }

    /// The intent without values of lists that have the wrong type.
    private static func accepted(_ intent: IntentSnapshot, _ parameters: [ParameterDescription]) -> IntentSnapshot {
        var intent = intent
        for parameter in parameters where parameter.isList {
            guard let values = intent.parameters[parameter.name]?.array else { continue }
            intent.parameters[parameter.name] = .array(values.filter(parameter.accepts))
        }
        return intent
    }

    /// The journal names the handler that had a say in the turn.
    func noteHandler(_ registration: IntentRegistration) {
        self.record.handlerName = registration.handlerName
        self.record.handlerVersion = registration.handlerVersion
    }

    private func settle(
        _ parameter: ParameterDescription,
        of registration: IntentRegistration,
        _ outcome: ResolutionOutcome
    ) -> Bool {
        guard self.interaction != nil else { return false }
        let name = parameter.name
        switch outcome.normalized {
        case .success(let value):
            if self.interaction?.intent.parameters[name] != value {
                self.interaction?.intent.parameters[name] = value
                self.interaction?.unsettle(name, registration.parameters)
            }
            self.interaction?.settle(name)
            return true
        case .notRequired:
            self.interaction?.intent.parameters[name] = nil
            self.interaction?.settle(name)
            return true
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported:
            self.ask(outcome, parameter: name, index: nil, item: self.interaction?.intent.parameters[name])
            return false
        }
    }

    /// Settles a list: one outcome for each value in the same order (R20).
    private func settle(
        _ parameter: ParameterDescription,
        of registration: IntentRegistration,
        _ outcomes: [ResolutionOutcome]
    ) throws -> Bool {
        guard var interaction = self.interaction else { return false }
        let name = parameter.name
        if let whole = outcomes.first(where: { $0 == .needsValue || $0 == .notRequired }) {
            return self.settle(parameter, of: registration, whole)
        }
        var values = interaction.intent.parameters[name]?.array ?? []
        if values.isEmpty, outcomes.count == 1 {
            // Nothing was said: one result is a guess, or says why none can be made (behaviours 15 and 36).
            return self.settle(parameter, of: registration, Self.speakingForList(outcomes[0]))
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
            if case .success(let value) = outcome {
                values[index] = value
                interaction.attempts[Prompt.subject(name, index)] = nil
            } else if interaction.confirmed[name]?[index] == values[index] {
                interaction.attempts[Prompt.subject(name, index)] = nil
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
            self.interaction = interaction
            return true
        }
        self.interaction = interaction
        self.ask(outcomes[open], parameter: name, index: open, item: values[open])
        return false
    }

    /// What an outcome for one value is for a list that has no value yet.
    private static func speakingForList(_ outcome: ResolutionOutcome) -> ResolutionOutcome {
        switch outcome {
        case .success(let value): .success([value])
        case .notRequired, .needsValue, .disambiguation, .confirmationRequired, .unsupported: outcome
        }
    }

    /// Asks what an outcome asks.
    private func ask(
        _ outcome: ResolutionOutcome,
        parameter: String,
        index: Int?,
        item: JSONValue?
    ) {
        switch outcome.normalized {
        case .success, .notRequired: break
        case .needsValue: self.ask(.needsValue, parameter: parameter, index: index)
        case .disambiguation(let options):
            self.ask(
                .disambiguation,
                parameter: parameter,
                index: index,
                options: options,
                item: item
            )
        case .confirmationRequired(let value, let reason):
            self.ask(
                .confirmationRequired,
                parameter: parameter,
                index: index,
                item: value,
                reason: reason
            )
        case .unsupported(let reason):
            self.ask(.unsupported, parameter: parameter, index: index, item: item, reason: reason)
        }
    }
}

/// A handler broke the rules of resolving.
struct ResolutionError: Error, CustomStringConvertible {
    /// What it did and what would be right.
    var description: String
}
