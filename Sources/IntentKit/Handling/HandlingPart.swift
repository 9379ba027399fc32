/// One part of a handling.
public protocol HandlingPart<HandledIntent>: Sendable {
    /// The intent that is handled.
    associatedtype HandledIntent: Intent
    /// Whether it is the deed: decides at compile time whether a handling has one.
    associatedtype Deed: HandlingDeed

    /// The part among others.
    func add(to handling: inout HandlingBuilder<HandledIntent>.Draft)
}

/// Says in a type whether a handling has a ``Handle``.
public protocol HandlingDeed: Sendable {}
/// There is no ``Handle``.
public enum WithoutHandle: HandlingDeed {}
/// There is a ``Handle``.
public enum WithHandle: HandlingDeed {}
