/// Resolves a parameter: finds out with the user what is meant (R18, R19).
///
/// ```swift
/// Resolve(\.$exercise) { said, context in
///     guard let said else { return .needsValue() }
///     let matches = exercises.filter { $0.contains(said) }
///     return matches.count == 1 ? .success(with: matches[0]) : .disambiguation(with: matches)
/// }
/// Resolve(\.$weight, reasons: WeightReason.self) { said, intent, context in
///     guard let said else { return .needsValue() }
///     return said > 500 ? .unsupported(forReason: .beyondHumanStrength) : .success(with: said)
/// }
/// ```
/// `said` is nil when the user said nothing, or only spaces. For a list, each value has a result of its own, in the
/// same order; a single `needsValue` or `notRequired` applies to the whole list (R20). If nothing was said, a single
/// result of any kind is enough: a guess, or why none can be made.
///
/// The declarations at the property are applied first: a value that they refuse does not reach the resolver. The value
/// of a parameter without a resolver is used as it is, and so is the value that a resolver returns.
public final class Resolve<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    /// The input of a resolver.
    struct Question: Sendable {
        /// The parameter's name on the wire.
        let name: String
        /// All values of the interaction.
        let values: JSONObject
        let description: IntentDescription<HandledIntent>

        var intent: HandledIntent { self.description.intent(self.values) }

        /// The user's value; nil when it counts as missing.
        func said<Value: ParameterValue>(_ type: Value.Type) -> Value? {
            guard let value = self.values[self.name].flatMap(Value.init(json:)), !value.isMissing else { return nil }
            return value
        }
    }

    /// The property, and what resolves it.
    let resolver: Resolver<HandledIntent>

    /// Makes the part; the body calls the resolver, and erases its types.
    init(
        path: any PartialKeyPath<HandledIntent> & Sendable,
        body: @escaping @Sendable (Question, TurnContext) async throws -> ParameterOutcome
    ) {
        let resolver = Resolver(path: path, body: body)
        self.resolver = resolver
        super.init { $0.resolvers.append(resolver) }
    }
}

// MARK: One value

extension Resolve {
    /// Resolves a parameter whose refusals have no reasons.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Receives what was said.
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        _ body: @escaping @Sendable (_ said: Value?, TurnContext) async throws -> ParameterResolution<Value, NoReason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $1).outcome) }
    }

    /// Resolves a parameter whose refusals have no reasons, using other parameters.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Receives what was said, and the whole intent.
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        _ body:
            @escaping @Sendable (_ said: Value?, HandledIntent, TurnContext) async throws ->
            ParameterResolution<Value, NoReason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $0.intent, $1).outcome) }
    }

    /// Resolves a parameter whose refusals have reasons.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Receives what was said.
    public convenience init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        reasons: Reason.Type,
        _ body: @escaping @Sendable (_ said: Value?, TurnContext) async throws -> ParameterResolution<Value, Reason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $1).outcome) }
    }

    /// Resolves a parameter whose refusals have reasons, using other parameters.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Receives what was said, and the whole intent.
    public convenience init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable,
        reasons: Reason.Type,
        _ body:
            @escaping @Sendable (_ said: Value?, HandledIntent, TurnContext) async throws ->
            ParameterResolution<Value, Reason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $0.intent, $1).outcome) }
    }

    /// Resolves a parameter by a method, as in SiriKit: the method reads what was said from the intent.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The parameter.
    public convenience init<Value: ParameterValue, Reason: UnsupportedReason>(
        by method:
            @escaping @Sendable (HandledIntent, TurnContext) async throws -> ParameterResolution<Value, Reason>,
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await method($0.intent, $1).outcome) }
    }
}

// MARK: Lists

extension Resolve {
    /// Resolves a list whose refusals have no reasons.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Receives what was said.
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        _ body:
            @escaping @Sendable (_ said: [Value]?, TurnContext) async throws -> [ParameterResolution<Value, NoReason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $1).map(\.outcome)) }
    }

    /// Resolves a list whose refusals have no reasons, using other parameters.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - body: Receives what was said, and the whole intent.
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        _ body:
            @escaping @Sendable (_ said: [Value]?, HandledIntent, TurnContext) async throws ->
            [ParameterResolution<Value, NoReason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $0.intent, $1).map(\.outcome)) }
    }

    /// Resolves a list whose refusals have reasons.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Receives what was said.
    public convenience init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        reasons: Reason.Type,
        _ body:
            @escaping @Sendable (_ said: [Value]?, TurnContext) async throws -> [ParameterResolution<Value, Reason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $1).map(\.outcome)) }
    }

    /// Resolves a list whose refusals have reasons, using other parameters.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - body: Receives what was said, and the whole intent.
    public convenience init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable,
        reasons: Reason.Type,
        _ body:
            @escaping @Sendable (_ said: [Value]?, HandledIntent, TurnContext) async throws ->
            [ParameterResolution<Value, Reason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $0.intent, $1).map(\.outcome)) }
    }

    /// Resolves a list by a method, as in SiriKit: the method reads what was said from the intent.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The parameter.
    public convenience init<Value: ParameterValue, Reason: UnsupportedReason>(
        by method:
            @escaping @Sendable (HandledIntent, TurnContext) async throws -> [ParameterResolution<Value, Reason>],
        _ path: any KeyPath<HandledIntent, Parameter<[Value]>> & Sendable
    ) {
        self.init(path: path) { .perValue(try await method($0.intent, $1).map(\.outcome)) }
    }
}

// MARK: A mistake that is easily made

extension Resolve {
    /// The path of a parameter begins with `$`.
    @available(*, unavailable, message: "the path of a parameter begins with $, such as \\.$item")
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Value?> & Sendable,
        _ body: @escaping @Sendable (_ said: Value?, TurnContext) async throws -> ParameterResolution<Value, NoReason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $1).outcome) }
    }

    /// The path of a parameter begins with `$`.
    @available(*, unavailable, message: "the path of a parameter begins with $, such as \\.$item")
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Value?> & Sendable,
        _ body:
            @escaping @Sendable (_ said: Value?, HandledIntent, TurnContext) async throws ->
            ParameterResolution<Value, NoReason>
    ) where Value.SingleValue == Value {
        self.init(path: path) { .single(try await body($0.said(Value.self), $0.intent, $1).outcome) }
    }

    /// The path of a list begins with `$`, too.
    @available(*, unavailable, message: "the path of a parameter begins with $, such as \\.$items")
    public convenience init<Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, [Value]?> & Sendable,
        _ body:
            @escaping @Sendable (_ said: [Value]?, TurnContext) async throws -> [ParameterResolution<Value, NoReason>]
    ) {
        self.init(path: path) { .perValue(try await body($0.said([Value].self), $1).map(\.outcome)) }
    }
}

/// Several resolvers that are listed elsewhere, such as the methods of one of SiriKit's protocols.
package final class ResolveAll<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    package init(_ resolvers: [Resolve<HandledIntent>]) {
        let all = resolvers.map(\.resolver)
        super.init { $0.resolvers += all }
    }
}
