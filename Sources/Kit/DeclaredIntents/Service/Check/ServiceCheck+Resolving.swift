import IntentKit

extension ServiceCheck {
    /// Tries `resolve` with nothing said, with every value of every parameter, and with lists of several values.
    mutating func tryResolving() async {
        let names = self.definition.parameters.map(\.name)
        await self.tryResolving("nothing said", IntentSnapshot(name: self.definition.name), names)
        for parameter in self.definition.parameters {
            let values = self.candidates[parameter.name] ?? []
            let lists = parameter.isList ? Self.lists(of: values) : values
            for value in lists {
                var intent = self.firstIntent
                intent.parameters[parameter.name] = value
                await self.tryResolving("values of \(parameter.name)", intent, names)
            }
            var intent = self.firstIntent
            intent.parameters[parameter.name] = nil
            await self.tryResolving("\(parameter.name) left out", intent, names)
        }
        for parameter in self.definition.parameters { await self.tryDeclining(parameter, names) }
    }

    /// Tries `resolve` as after a user who declined all that was offered of a parameter.
    private mutating func tryDeclining(_ parameter: ParameterDefinition, _ open: [String]) async {
        guard !self.host.isHopeless, let declined = self.offered[parameter.name], !declined.isEmpty else { return }
        let subject = "resolve: offers of \(parameter.name) are declined"
        var intent = self.firstIntent
        intent.parameters[parameter.name] = nil
        let context = self.host.context(interaction: "\(self.run)-decline", declined: [parameter.name: declined])
        do {
            let outcome = try await self.caller.resolve(open, intent, context)[parameter.name]
            let values = outcome?.offers ?? []
            if !values.isEmpty, values.allSatisfy(declined.contains) {
                self.record(.note, subject, "only declined ones are offered again: the user is asked for a value")
            } else {
                self.record(.right, subject, values.isEmpty ? "none is offered again" : "others are offered")
            }
        } catch {
            self.record(.wrong, subject, "\(error)")
        }
    }

    private static func lists(of values: [JSONValue]) -> [JSONValue] {
        let many = (0..<50).compactMap { values.isEmpty ? nil : values[$0 % values.count] }
        return values.map { [$0] } + [.array(values), .array(Array(values.reversed())), .array(many)]
    }

    private mutating func tryResolving(_ subject: String, _ intent: IntentSnapshot, _ open: [String]) async {
        guard !self.host.isHopeless else { return }
        do {
            self.recordSeen(try await self.caller.resolve(open, intent, self.context("resolve")))
            self.record(.right, "resolve: \(subject)", "an outcome for every open parameter")
        } catch {
            self.record(.wrong, "resolve: \(subject)", "\(error)")
        }
    }

    private mutating func recordSeen(_ outcomes: [String: ParameterOutcome]) {
        for (name, outcome) in outcomes {
            switch outcome {
            case .single(let one): self.recordSeen([one], name)
            case .perValue(let all): self.recordSeen(all, name)
            }
        }
    }

    private mutating func recordSeen(_ outcomes: [ResolutionOutcome], _ parameter: String) {
        self.seen[parameter, default: []].formUnion(outcomes.map(\.name))
        if outcomes.contains(where: \.hasOptionsAlike) { self.alike.insert(parameter) }
        let known = self.offered[parameter] ?? []
        self.offered[parameter, default: []] += outcomes.flatMap(\.offers).filter { !known.contains($0) }
    }

    /// Reports which outcomes came and which did not: other values might produce them.
    mutating func reportOutcomes() {
        for parameter in self.definition.parameters {
            let seen = self.seen[parameter.name] ?? []
            let all = ServiceCall.outcomes.map(\.name)
            // A service that never ends an interaction lacks nothing.
            let others = all.filter { !seen.contains($0) && $0 != "ending" }
            let more = others.isEmpty ? "" : "; not seen: \(others.joined(separator: ", "))"
            let some = all.filter(seen.contains).joined(separator: ", ")
            self.record(.note, "outcomes of \(parameter.name)", (some.isEmpty ? "none" : some) + more)
            if self.alike.contains(parameter.name) {
                let text = "some look the same to the user and differ only by number: give them subtitles"
                self.record(.note, "options of \(parameter.name)", text)
            }
        }
    }

    /// The intent with values that the service has accepted, found as by a user who picks the first of each choice.
    mutating func settledIntent() async -> IntentSnapshot? {
        var intent = self.firstIntent
        var open = self.definition.parameters
        var tried: [String: Int] = [:]
        var picked: String?
        for _ in 0..<50 {
            guard !open.isEmpty else { return self.definition.makeRegistration().complete(intent) }
            guard let outcomes = await self.outcomes(open.map(\.name), intent) else { return nil }
            guard let parameter = open.first, let outcome = outcomes[parameter.name] else { return nil }
            self.recordSeen(outcomes)
            let (value, isSettled) = Self.answer(outcome)
            if picked == parameter.name, !isSettled {
                let text = "an option is rejected when the user picks it, so the user would be asked forever"
                self.record(.wrong, "resolve: options of \(parameter.name)", text)
                return nil
            }
            picked = isSettled || value == nil ? nil : parameter.name
            if isSettled {
                intent.parameters[parameter.name] = value
                open.removeFirst()
            } else if let value {
                intent.parameters[parameter.name] = value
            } else {
                tried[parameter.name, default: 0] += 1
                let index = tried[parameter.name] ?? 0
                guard let next = self.candidates[parameter.name]?.dropFirst(index).first else {
                    let advice = "give one that the service knows: --value \(parameter.name)=VALUE"
                    self.record(.note, "a whole conversation", "no value of \(parameter.name) is accepted; \(advice)")
                    return nil
                }
                intent.parameters[parameter.name] = parameter.isList ? [next] : next
            }
        }
        self.record(.wrong, "a whole conversation", "the parameters do not settle: the service keeps asking")
        return nil
    }

    /// The outcomes of open parameters, from the service or, where it does not resolve, from the definition.
    private func outcomes(_ open: [String], _ intent: IntentSnapshot) async -> [String: ParameterOutcome]? {
        if self.caller.service.resolves {
            return try? await self.caller.resolve(open, intent, self.context("settle"))
        }
        return Dictionary(
            uniqueKeysWithValues: self.definition.parameters.map {
                ($0.name, $0.outcome(for: intent.parameters[$0.name], .nobody))
            }
        )
    }

    /// The user's answer: a value, and whether it settles the parameter; nil asks for another of the user's own values.
    private static func answer(_ outcome: ParameterOutcome) -> (JSONValue?, isSettled: Bool) {
        switch outcome {
        case .single(let one):
            let (value, isSettled) = Self.answer(one)
            return one == .notRequired ? (nil, true) : (value, isSettled)
        case .perValue(let all):
            var values: [JSONValue] = []
            var isSettled = true
            for one in all {
                let (value, isOneSettled) = Self.answer(one)
                guard let value else { return (nil, false) }
                values.append(value)
                isSettled = isSettled && isOneSettled
            }
            return (.array(values), isSettled)
        }
    }

    private static func answer(_ outcome: ResolutionOutcome) -> (JSONValue?, isSettled: Bool) {
        switch outcome {
        case .success(let value): (value, true)
        case .confirmationRequired(let option, _): (option.value, true)
        case .disambiguation(let options): (options.first?.value, false)
        case .notRequired, .needsValue, .unsupported, .ending: (nil, false)
        case .saying(_, let outcome): Self.answer(outcome)
        }
    }
}

extension ParameterOutcome {
    /// The values that the user is offered.
    fileprivate var offers: [JSONValue] {
        switch self {
        case .single(let one): one.offers
        case .perValue(let all): all.flatMap(\.offers)
        }
    }
}

extension ResolutionOutcome {
    /// The values that the user is offered.
    fileprivate var offers: [JSONValue] {
        switch self.wordless {
        case .disambiguation(let options): options.map(\.value)
        case .confirmationRequired(let option, _): [option.value]
        case .success, .notRequired, .needsValue, .unsupported, .ending, .saying: []
        }
    }

    /// Whether it offers options with the same title and subtitle.
    fileprivate var hasOptionsAlike: Bool {
        guard case .disambiguation(let options) = self.wordless else { return false }
        let words = options.compactMap(\.display).map { [$0.title, $0.subtitle] }
        return Set(words).count < words.count
    }

    /// Its name on the wire.
    fileprivate var name: String {
        switch self {
        case .success: "success"
        case .notRequired: "notRequired"
        case .needsValue: "needsValue"
        case .disambiguation: "disambiguation"
        case .confirmationRequired: "confirmationRequired"
        case .unsupported: "unsupported"
        case .saying(_, let outcome): outcome.name
        case .ending: "ending"
        }
    }
}
