/// Handles the app's report about what was handed to it (R33), before the interaction ends with it.
///
/// ```swift
/// AppResponded { response, intent, context in
///     try await context.effect("note") { store in
///         try store.execute("INSERT INTO sets (reps) VALUES (?)", [.integer(Int64(intent.reps ?? 0))])
///     }
/// }
/// ```
/// It is called in a turn of its own after ``Handle`` answered `handleInApp`, with the app's final code and details.
/// Effects are possible here too. Their names must differ from those in ``Handle``, or they would get the results
/// recorded there.
public final class AppResponded<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    public init(
        _ body: @escaping @Sendable (IntentResponse<HandledIntent>, HandledIntent, TurnContext) async throws -> Void
    ) {
        super.init { $0.appResponses.append(body) }
    }
}
