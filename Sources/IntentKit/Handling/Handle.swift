/// The deed: does what is asked for, and reports what was done (R30).
///
/// ```swift
/// Handle { intent, context in
///     try await context.effect("log") { store in … }
///     return IntentResponse(code: .success)
/// }
/// ```
/// An error that is a ``TransientError`` is tried again; any other ends the interaction with `error`.
public struct Handle<HandledIntent: Intent>: HandlingPart {
    /// It is the deed.
    public typealias Deed = WithHandle

    /// Does it.
    let body: @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Says what is done.
    public init(
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>
    ) {
        self.body = body
    }

    /// The part among others.
    public func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) { draft.parts.deeds.append(self) }
}
