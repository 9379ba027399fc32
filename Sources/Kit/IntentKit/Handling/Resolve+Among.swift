extension Resolve {
    /// Resolves a parameter to one of the entities that there are.
    ///
    /// ```swift
    /// Resolve(\.$dog, among: { intent, context in
    ///     try await context.read("dogs") { try $0.query("SELECT identifier, name, breed FROM dogs", as: Dog.self) }
    /// })
    /// ```
    /// What was said is the entity of that identifier, or the one that it is a word of, in any language. Where it is a
    /// word of several, or resembles some, the user chooses among these, and otherwise among all, 20 at most. After a
    /// decline the user chooses among the others. Without any entities it is `unsupported`.
    /// - Parameters:
    ///   - path: The parameter.
    ///   - entities: Finds the entities; it is called only if something was said.
    public convenience init<Value: EntityValue>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        among entities: @escaping @Sendable (HandledIntent, TurnContext) async throws -> [Value]
    ) where Value.SingleValue == Value {
        self.init(path: path) { question, context in
            let said = question.said(Value.self)
            let declined = context.declinedValues[question.name]
            guard said != nil || declined != nil else { return .single(.notRequired) }
            let known = KnownEntities(try await entities(question.intent, context))
            return .single(said.map { known.outcome(for: $0) } ?? known.outcome(afterDeclining: declined ?? []))
        }
    }

    /// Resolves each value of a list to one of the entities that there are.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - entities: Finds the entities; it is called only if something was said.
    public convenience init<Value: EntityValue>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        among entities: @escaping @Sendable (HandledIntent, TurnContext) async throws -> [Value]
    ) {
        self.init(path: path) { question, context in
            guard let said = question.said([Value].self) else { return .single(.notRequired) }
            let known = KnownEntities(try await entities(question.intent, context))
            return .perValue(said.map { known.outcome(for: $0) })
        }
    }
}

/// The entities that a value may be, prepared for matching what a user says.
private struct KnownEntities<Value: EntityValue> {
    private let entities: [Value]
    private let allowed: AllowedValues

    init(_ entities: [Value]) {
        self.entities = entities
        var displays: [JSONValue: DisplayRepresentation] = [:]
        for entity in entities { displays[entity.json] = entity.displayRepresentation }
        self.allowed = AllowedValues(entities.map(\.json), displays: displays) { Value(json: $0)?.words }
    }

    func outcome(for said: Value) -> ResolutionOutcome {
        if let identifier = said.identifier, let entity = self.entities.first(where: { $0.identifier == identifier }) {
            return .success(entity.json)
        }
        let outcome = self.allowed.outcome(for: said.json) { _ in [] }
        guard case .unsupported = outcome else { return outcome }
        return .choosing(among: Array(self.allowed.values.prefix(AllowedValues.maximumOptions)))
    }

    /// The choice among those that were not declined; a question for a value when there are none.
    func outcome(afterDeclining declined: [JSONValue]) -> ResolutionOutcome {
        let others = self.allowed.values.filter { !declined.contains($0) }
        return others.isEmpty ? .needsValue : .choosing(among: Array(others.prefix(AllowedValues.maximumOptions)))
    }
}
