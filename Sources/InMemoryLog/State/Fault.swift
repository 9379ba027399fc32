package import IntentRuntime

/// What a log is told to do wrong, once.
package enum Fault: Sendable {
    /// The next commit throws `outcomeUnknown`; whether it was `applied` is for the lane's successor to find out.
    case outcomeUnknown(applied: Bool)
    /// The next commit throws this and writes nothing.
    case commit(LogError)
    /// The next call of a producer's `send` throws this and writes nothing.
    case send(LogError)
}
