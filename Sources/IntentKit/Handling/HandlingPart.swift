/// One part of a handling.
public protocol HandlingPart<HandledIntent>: Sendable {
    /// The intent that is handled.
    associatedtype HandledIntent: Intent
    /// Whether it is the ``Handle``. The compiler uses this to check that a handling has exactly one.
    associatedtype Presence: HandlePresence

    /// Adds the part to a handling.
    func add(to handling: inout HandlingBuilder<HandledIntent>.Draft)
}

/// Says in a type whether a handling has a ``Handle``.
public protocol HandlePresence: Sendable {}
/// There is no ``Handle``.
public enum WithoutHandle: HandlePresence {}
/// There is a ``Handle``.
public enum WithHandle: HandlePresence {}
