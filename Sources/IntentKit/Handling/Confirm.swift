/// The dry run: checks that the intent could be handled now, without doing it (R28).
///
/// ```swift
/// Confirm { intent, context in
///     IntentResponse(code: .ready, requiresUserConfirmation: (intent.weight ?? 0) > 200)
/// }
/// ```
/// Any code but `ready` (or `success`, which means the same) ends the interaction. After the user's yes it is called
/// again. A handler without one is always ready.
public struct Confirm<HandledIntent: Intent>: HandlingPart {
    /// It is not the ``Handle`` part.
    public typealias Presence = WithoutHandle

    /// Makes the dry run.
    let body: @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>

    /// Makes the part.
    public init(
        _ body: @escaping @Sendable (HandledIntent, TurnContext) async throws -> IntentResponse<HandledIntent>
    ) {
        self.body = body
    }

    /// Adds the part to a handling.
    public func add(to draft: inout HandlingBuilder<HandledIntent>.Draft) { draft.parts.confirms.append(self) }
}
