/// The steps that resolve each parameter of an intent: first the declarations at its property, then the resolver.
struct ResolvingSteps<HandledIntent: Intent>: Sendable {
    private struct Step: Sendable {
        /// The rules declared for its values; nil if they can neither refuse nor ask.
        let rules: ParameterRules?
        let resolver: Resolver<HandledIntent>?
    }

    let parts: HandlingParts<HandledIntent>

    private let intent: IntentDescription<HandledIntent>
    private let steps: [String: Step]

    /// Determines the steps for each parameter.
    init(_ intent: IntentDescription<HandledIntent>, _ handling: Handling<HandledIntent>) {
        self.intent = intent
        self.parts = handling.parts
        var resolvers: [Int: Resolver<HandledIntent>] = [:]
        for resolver in handling.parts.resolvers {
            if let index = intent.index(of: resolver.path) { resolvers[index] = resolver }
        }
        var steps: [String: Step] = [:]
        for (index, member) in intent.members.enumerated() {
            let step = Step(rules: member.rules.isEmpty ? nil : member.rules, resolver: resolvers[index])
            if step.rules != nil || step.resolver != nil { steps[member.description.name] = step }
        }
        self.steps = steps
    }

    /// What is declared about the parameters' values, by name on the wire.
    var constraints: [String: ParameterConstraints] {
        var all: [String: ParameterConstraints] = [:]
        for member in self.intent.members {
            let name = member.description.name
            all[name] = member.declaration.constraints
            all[name]?.isResolvedByHandler = self.steps[name]?.resolver != nil
        }
        return all
    }

    /// What is wrong with the handler; nil when nothing is.
    func problem<Handler: IntentHandler>(of type: Handler.Type) -> String? {
        if Handler.self is AnyClass {
            return "\(type) is a class: a handler is a structure, which keeps nothing between turns (R16)."
        }
        var seen: Set<Int> = []
        for resolver in self.parts.resolvers {
            guard let index = self.intent.index(of: resolver.path) else {
                return "\(type) resolves a property of \(HandledIntent.self) that is not a @Parameter."
            }
            if !seen.insert(index).inserted {
                let property = self.intent.members[index].property
                return "\(type) has two resolvers of \(HandledIntent.self).\(property): "
                    + "keep one Resolve(\\.$\(property))."
            }
        }
        if let timeout = self.parts.handleTimeout, timeout <= .zero {
            return "\(type) has a Handle with a timeout of \(timeout): it is longer than zero."
        }
        var undone: Set<String> = []
        for undo in self.parts.undos {
            if !undone.insert(undo.effect).inserted {
                return "\(type) has two parts Undo(\"\(undo.effect)\"): keep one for an effect."
            }
            if let within = undo.within, within < .seconds(1) {
                return "\(type) has an Undo(\"\(undo.effect)\") within \(within): it is a second or more."
            }
        }
        let counts = [
            ("Confirm", self.parts.confirms.count), ("AppResponded", self.parts.appResponses.count),
            ("UpdateStatus", self.parts.updates.count),
        ]
        return counts.first { $0.1 > 1 }.map { "\(type) has \($0.1) parts \($0.0): at most one is allowed." }
    }

    /// Resolves a parameter; nil where the value is used as it is.
    func outcome(
        of name: String,
        _ snapshot: IntentSnapshot,
        _ context: TurnContext
    ) async throws -> ParameterOutcome? {
        guard let step = self.steps[name] else { return nil }
        let values = snapshot.parameters
        var question = Resolve<HandledIntent>.Question(name: name, values: values, description: self.intent)
        var outcomes: [ResolutionOutcome]?
        if let rules = step.rules {
            let path = "\(snapshot.name).\(name)"
            let declared = rules.outcome(for: values[name]) {
                context.vocabularyMatches(for: $0, parameter: path)
            }
            guard step.resolver != nil else { return declared }
            switch declared {
            case .single(.notRequired): break
            case .single(.success(let value)): question = question.asking(of: value)
            case .single(.needsValue) where values[name] == nil && context.declinedValues[name] != nil:
                // The value was removed because the user declined what it meant: the resolver may offer others.
                let answer = try await step.resolver?.body(question, context)
                return answer == .single(.notRequired) ? declared : answer ?? declared
            case .single: return declared
            case .perValue(let judged):
                let good = judged.compactMap(\.success)
                guard !good.isEmpty else { return declared }
                question = question.asking(of: .array(good))
                outcomes = judged
            }
        }
        guard let answer = try await step.resolver?.body(question, context) else { return nil }
        return outcomes.map { .merging(answer, into: $0) } ?? answer
    }
}

extension Resolve.Question {
    fileprivate func asking(of value: JSONValue) -> Self {
        var values = self.values
        values[self.name] = value
        return Self(name: self.name, values: values, description: self.description)
    }
}
