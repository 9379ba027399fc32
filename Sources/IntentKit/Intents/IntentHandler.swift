/// Carries out one kind of intent: resolves its parameters, confirms that it can be done, does it.
///
/// A handler is made afresh for each turn and keeps nothing between calls (R16). Everything that it touches comes
/// through the ``TurnContext``: reads of the outside world through `run`, effects through `effect`.
///
/// Only ``handle(intent:context:)`` is required (R17). SiriKit's own intents have protocols that refine this one,
/// with a method for each parameter; an intent of your own lists its resolvers:
///
/// ```swift
/// struct LogSetHandler: IntentHandler {
///     static let resolvers: [ParameterResolver<Self>] = [.init(\.exercise, using: Self.resolveExercise)]
///
///     func resolveExercise(for intent: LogSetIntent, with context: TurnContext) async throws
///         -> INStringResolutionResult { … }
///
///     func handle(intent: LogSetIntent, context: TurnContext) async throws -> IntentResponse<LogSetIntent> { … }
/// }
/// ```
public protocol IntentHandler<HandledIntent>: Sendable {
    /// The intent that it handles.
    associatedtype HandledIntent: Intent

    /// The resolvers, one a parameter at most; a parameter without one is taken as it is.
    static var resolvers: [ParameterResolver<Self>] { get }

    /// Checks that the intent could be handled now, without doing it (R28).
    ///
    /// Anything but `ready` (or `success`, which means the same) is the interaction's end. After the user's yes it is
    /// called again.
    func confirm(
        intent: HandledIntent,
        context: TurnContext
    ) async throws -> IntentResponse<HandledIntent>

    /// Does it, and reports what was done (R30).
    ///
    /// - Throws: An error that is a ``TransientError`` is tried again; any other ends the interaction with `error`.
    func handle(
        intent: HandledIntent,
        context: TurnContext
    ) async throws -> IntentResponse<HandledIntent>

    /// Takes note of what the app reported about what it was handed (R33), before the interaction ends with it.
    ///
    /// Called in a turn of its own after `handle` answered `handleInApp`, with the app's final code and details. Effects
    /// are possible here too; their names differ from those in `handle`, whose recorded results they would get otherwise.
    func appResponded(
        _ response: IntentResponse<HandledIntent>,
        to intent: HandledIntent,
        context: TurnContext
    ) async throws
}

extension IntentHandler {
    /// No resolvers: every value is taken as it is.
    public static var resolvers: [ParameterResolver<Self>] { [] }

    /// No checks: ready.
    public func confirm(
        intent: HandledIntent,
        context: TurnContext
    ) async throws -> IntentResponse<HandledIntent> {
        IntentResponse(code: .ready)
    }

    /// Nothing to note.
    public func appResponded(
        _ response: IntentResponse<HandledIntent>,
        to intent: HandledIntent,
        context: TurnContext
    ) async throws {}
}
