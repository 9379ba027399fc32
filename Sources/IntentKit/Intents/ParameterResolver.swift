/// Ties a handler's method to the parameter that it resolves.
public struct ParameterResolver<Handler: IntentHandler>: Sendable {
    /// The property that is resolved.
    let keyPath: any (PartialKeyPath<Handler.HandledIntent> & Sendable)
    /// Calls the method and forgets its types.
    let resolve: @Sendable (Handler, Handler.HandledIntent, TurnContext) async throws -> ParameterOutcome

    /// Resolves a parameter with one value.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ keyPath: any (WritableKeyPath<Handler.HandledIntent, Value?> & Sendable),
        using method:
            @escaping @Sendable (Handler) ->
            (Handler.HandledIntent, TurnContext) async throws -> ParameterResolution<Value, Reason>
    ) {
        self.keyPath = keyPath
        self.resolve = { handler, intent, context in
            .single(try await method(handler)(intent, context).outcome)
        }
    }

    /// Resolves a list: one result for each value in the same order, or a single one that speaks for the whole
    /// parameter (`needsValue`, `notRequired`).
    ///
    /// Where nothing was said, a single result of any kind speaks for the list too: a guess, or why none can be made.
    public init<Value: ParameterValue, Reason: UnsupportedReason>(
        _ keyPath: any (WritableKeyPath<Handler.HandledIntent, [Value]?> & Sendable),
        using method:
            @escaping @Sendable (Handler) ->
            (Handler.HandledIntent, TurnContext) async throws -> [ParameterResolution<Value, Reason>]
    ) {
        self.keyPath = keyPath
        self.resolve = { handler, intent, context in
            .perValue(try await method(handler)(intent, context).map(\.outcome))
        }
    }
}
