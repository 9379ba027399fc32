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
/// A ``TransientError`` is retried (``RetryPolicy``); any other error ends the interaction with `error`.
public final class Handle<HandledIntent: Intent>: HandlingPart<HandledIntent, WithHandle> {
    /// Performs the task.
    ///
    /// - Parameters:
    ///   - timeout: How long it may take; nil for ``IntentExtension/handlerTimeout``, or else the configured default
    ///     (R32).
    ///   - body: The task.
    public init(
        timeout: Duration? = nil,
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>
    ) {
        super.init { $0.addHandle(body, timeout: timeout) }
    }
}
