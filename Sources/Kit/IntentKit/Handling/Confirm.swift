/// The dry run: checks that the intent could be handled now, without doing it (R28).
///
/// ```swift
/// Confirm { intent, context in
///     IntentResponse(code: .ready, requiresUserConfirmation: (intent.weight ?? 0) > 200)
/// }
/// ```
/// Any code but `ready` (or `success`, which means the same) ends the interaction;
/// ``IntentResponse/asking(_:_:)`` goes back to a parameter instead. After the user's yes it is called again. A handler
/// without one is always ready.
public final class Confirm<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    public init(
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>
    ) {
        super.init { $0.confirms.append(body) }
    }
}
