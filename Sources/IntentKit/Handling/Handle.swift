/// Performs the task, and reports what was done (R30).
///
/// ```swift
/// Handle { intent, context in
///     try await context.effect("log") { store in … }
///     return IntentResponse(code: .success)
/// }
/// ```
/// A ``TransientError`` is retried; any other error ends the interaction with `error`.
public struct Handle<HandledIntent: Intent>: HandlingPart {
    /// It is the ``Handle`` part.
    public typealias Presence = WithHandle

    /// Performs the task.
    let body: @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Makes the part.
    public init(
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>
    ) {
        self.body = body
    }

    /// Adds the part to a handling.
    public func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) { draft.parts.handles.append(self) }
}
