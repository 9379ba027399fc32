/// Takes note of what the app reported about what it was handed (R33), before the interaction ends with it.
///
/// ```swift
/// AppResponded { response, intent, context in
///     try await context.effect("note") { store in … }
/// }
/// ```
/// Called in a turn of its own after ``Handle`` answered `handleInApp`, with the app's final code and details. Effects are
/// possible here too; their names differ from those in ``Handle``, whose recorded results they would get otherwise.
public struct AppResponded<HandledIntent: Intent>: HandlingPart {
    /// It is not the deed.
    public typealias Deed = WithoutHandle

    /// Takes note of it.
    let body: @Sendable (IntentResponse<HandledIntent>, HandledIntent, TurnContext) async throws -> Void

    /// Says what is noted.
    public init(
        _ body: @escaping @Sendable (IntentResponse<HandledIntent>, HandledIntent, TurnContext) async throws -> Void
    ) {
        self.body = body
    }

    /// The part among others.
    public func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) { draft.parts.appResponses.append(self) }
}
