/// Handles one kind of intent: resolves its parameters, confirms that the task can be done, and does it.
///
/// ```swift
/// struct LogSetHandler: IntentHandler {
///     var handling: Handling<LogSet> {
///         Resolve(\.$exercise) { said, context in
///             guard let said else { return .needsValue() }
///             return .success(with: said.lowercased())
///         }
///         Handle { intent, context in
///             try await context.effect("log") { store in
///                 try store.execute("INSERT INTO sets (reps) VALUES (?)", [.integer(Int64(intent.reps ?? 0))])
///             }
///             return IntentResponse(code: .success)
///         }
///     }
/// }
/// ```
/// A handler is a value that keeps no state between turns (R16): a class is refused at start. Everything that it
/// touches comes through the ``TurnContext``: reads of the outside world through `run`, effects through `effect`.
public protocol IntentHandler<HandledIntent>: Sendable {
    associatedtype HandledIntent: Intent

    /// What it does, part by part: ``Resolve`` for the parameters that it decides about, ``Confirm``, ``Handle``,
    /// ``AppResponded``, ``UpdateStatus``, ``Undo``. Only ``Handle`` is required (R17).
    ///
    /// It is read once, when the handler is registered.
    @HandlingBuilder<HandledIntent> var handling: Handling<HandledIntent> { get }
}
