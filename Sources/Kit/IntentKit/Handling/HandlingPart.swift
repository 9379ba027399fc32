/// One part of a handling: ``Resolve``, ``Confirm``, ``Handle``, ``AppResponded``, ``UpdateStatus`` or ``Undo``.
///
/// The parts are subclasses for the sake of the compiler's messages. Of a superclass, the compiler knows the intent
/// before it looks into a part's closure, and so it says which code does not exist. Of a protocol it does not, and says
/// no more than that a generic parameter could not be inferred.
public class HandlingPart<HandledIntent: Intent, Presence: HandlePresence> {
    let add: @Sendable (inout HandlingParts<HandledIntent>) -> Void

    init(_ add: @escaping @Sendable (inout HandlingParts<HandledIntent>) -> Void) { self.add = add }
}

/// Says in a type whether there is a ``Handle``.
///
/// The compiler uses it to check that a handling has exactly one.
public protocol HandlePresence: Sendable {}
/// There is no ``Handle``.
public enum WithoutHandle: HandlePresence {}
/// There is a ``Handle``.
public enum WithHandle: HandlePresence {}
