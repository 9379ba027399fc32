/// The reason why a command fails: what is wrong, where, and what would be right (R49).
struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exit status.
    var status: ExitStatus
    /// The message for standard error; may have several lines.
    var message: String

    /// Creates a failure.
    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The message.
    var description: String { self.message }
}
