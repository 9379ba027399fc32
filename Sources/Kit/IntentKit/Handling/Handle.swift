/// Performs the task, and reports what was done (R30).
///
/// ```swift
/// Handle { intent, context in
///     try await context.effect("log") { store in
///         try store.execute("INSERT INTO sets (reps) VALUES (?)", [.integer(Int64(intent.reps ?? 0))])
///     }
///     return IntentResponse(code: .success)
/// }
/// ```
/// A ``TransientError`` is retried; any other error ends the interaction with `error`.
public final class Handle<HandledIntent: Intent>: HandlingPart<HandledIntent, WithHandle> {
    public init(
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>
    ) {
        super.init { $0.handles.append(body) }
    }
}
