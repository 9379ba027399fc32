/// Resolves a parameter: finds out with the user what is meant (R18, R19).
///
/// ```swift
/// Resolve(\.$exercise) { said, context in
///     guard let said else { return .needsValue() }
///     let matches = exercises.filter { $0.contains(said) }
///     return matches.count == 1 ? .success(with: matches[0]) : .disambiguation(with: matches)
/// }
/// Resolve(\.$weight, reasons: WeightReason.self) { said, intent, context in … }
/// ```
/// What was said is nil when nothing was, or nothing but spaces. Of a list each value has a result of its own, in the same
/// order; a single `needsValue` or `notRequired` speaks for the whole (R20). Where nothing was said, a single result of
/// any kind does: a guess, or why none can be made.
///
/// What is declared at the property comes first: a value that it refuses does not come here. A parameter without a
/// resolver is taken as it is. What a resolver answers is taken as it is, too.
public struct Resolve<HandledIntent: Intent>: HandlingPart {
    /// It is not the deed.
    public typealias Deed = WithoutHandle

    /// What a resolver is asked with.
    struct Question: Sendable {
        /// The parameter's name on the wire.
        let name: String
        /// All values of the interaction.
        let values: JSONObject
        /// What is known of the intent's type.
        let description: IntentDescription<HandledIntent>

        /// The whole intent.
        var intent: HandledIntent { self.description.intent(self.values) }

        /// What was said; nil when it counts as missing.
        func said<Value: ParameterValue>(_ type: Value.Type) -> Value? {
            guard let value = self.values[self.name].flatMap(Value.init(json:)), !value.isMissing else { return nil }
            return value
        }
    }

    /// The property.
    let path: any PartialKeyPath<HandledIntent> & Sendable
    /// Asks the resolver, and forgets its types.
    let body: @Sendable (Question, TurnContext) async throws -> ParameterOutcome

    /// The part among others.
    public func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) { draft.parts.resolvers.append(self) }
}

// MARK: One value

extension Resolve {
    /// Resolves a parameter that is refused without a reason.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Is given what was said.
    public init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        _ body: @escaping @Sendable (_ said: Value?, TurnContext) async throws -> ParameterResolution<Value, NoReason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $1).outcome) }
    }

    /// Resolves a parameter that is refused without a reason, with regard to others.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Is given what was said, and the whole intent.
    public init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        _ body:
            @escaping @Sendable (_ said: Value?, HandledIntent, TurnContext) async throws ->
            ParameterResolution<Value, NoReason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $0.intent, $1).outcome) }
    }

    /// Resolves a parameter for whose refusals there are reasons.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Is given what was said.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        reasons: Reason.Type,
        _ body: @escaping @Sendable (_ said: Value?, TurnContext) async throws -> ParameterResolution<Value, Reason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $1).outcome) }
    }

    /// Resolves a parameter for whose refusals there are reasons, with regard to others.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Is given what was said, and the whole intent.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        reasons: Reason.Type,
        _ body:
            @escaping @Sendable (_ said: Value?, HandledIntent, TurnContext) async throws ->
            ParameterResolution<Value, Reason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $0.intent, $1).outcome) }
    }

    /// Resolves a parameter by a method, as SiriKit has them: it finds what was said in the intent.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The parameter.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        by method:
            @escaping @Sendable (HandledIntent, TurnContext) async throws -> ParameterResolution<Value, Reason>,
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await method($0.intent, $1).outcome) }
    }
}

// MARK: Lists

extension Resolve {
    /// Resolves a list whose values are refused without a reason.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Is given what was said.
    public init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        _ body:
            @escaping @Sendable (_ said: [Value]?, TurnContext) async throws -> [ParameterResolution<Value, NoReason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $1).map(\.outcome)) }
    }

    /// Resolves a list whose values are refused without a reason, with regard to other parameters.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Is given what was said, and the whole intent.
    public init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        _ body:
            @escaping @Sendable (_ said: [Value]?, HandledIntent, TurnContext) async throws ->
            [ParameterResolution<Value, NoReason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $0.intent, $1).map(\.outcome)) }
    }

    /// Resolves a list for whose refusals there are reasons.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Is given what was said.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        reasons: Reason.Type,
        _ body:
            @escaping @Sendable (_ said: [Value]?, TurnContext) async throws -> [ParameterResolution<Value, Reason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $1).map(\.outcome)) }
    }

    /// Resolves a list for whose refusals there are reasons, with regard to other parameters.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Is given what was said, and the whole intent.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        reasons: Reason.Type,
        _ body:
            @escaping @Sendable (_ said: [Value]?, HandledIntent, TurnContext) async throws ->
            [ParameterResolution<Value, Reason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $0.intent, $1).map(\.outcome)) }
    }

    /// Resolves a list by a method, as SiriKit has them: it finds what was said in the intent.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The parameter.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        by method:
            @escaping @Sendable (HandledIntent, TurnContext) async throws -> [ParameterResolution<Value, Reason>],
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable
    ) {
        self.init(path: path) { .perValue(try await method($0.intent, $1).map(\.outcome)) }
    }
}
