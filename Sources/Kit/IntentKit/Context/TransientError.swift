/// An error that may pass: the turn is tried again with backoff (R35).
public protocol TransientError: Error {
    /// How long the next try waits at least, such as a service's `Retry-After`; nil for the delay of the policy.
    ///
    /// It is cut to the longest delay of the policy.
    var retryAfter: Duration? { get }
}

extension TransientError {
    public var retryAfter: Duration? { nil }
}

/// The failure of a read or an effect, as the journal keeps it.
///
/// Handlers see only this type from ``TurnContext/run(_:_:)->_`` and ``TurnContext/effect(_:_:)->_``, both live and in
/// a replay. A decision that depends on more than the message belongs inside the closure, as a value.
public struct JournaledError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text of the closure's error.
    public var message: String
    /// Whether the closure's error was a ``TransientError``.
    public var isTransient: Bool
    /// The message for the client, if the closure's error was a ``ClientFacingError``.
    public var clientMessage: String?
    /// How long the next try waits at least, if the closure's error was a ``TransientError`` that says so.
    public var retryAfter: Duration?

    public init(message: String, isTransient: Bool, clientMessage: String? = nil, retryAfter: Duration? = nil) {
        self.message = message
        self.isTransient = isTransient
        self.clientMessage = clientMessage
        self.retryAfter = retryAfter
    }

    public var description: String { self.message }
}
