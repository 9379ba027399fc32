package import IntentRuntime

/// A fault that a test makes a log produce once.
package enum Fault: Sendable {
    /// The next commit throws `outcomeUnknown`; the lane's successor has to find out whether it was `applied`.
    case outcomeUnknown(applied: Bool)
    /// The next commit throws this and writes nothing.
    case commit(LogError)
    /// The next call of a producer's `send` throws this and writes nothing.
    case send(LogError)
}
