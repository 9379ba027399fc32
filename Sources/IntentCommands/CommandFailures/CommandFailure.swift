/// Why a command ends before its time: what is wrong, where, and what would be right (R49).
struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// How the process ends.
    var status: ExitStatus
    /// What to say on standard error; may have several lines.
    var message: String

    /// Describes a failure.
    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The message.
    var description: String { self.message }
}
