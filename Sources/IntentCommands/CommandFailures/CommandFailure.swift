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

    /// Lists what is wrong, a line each.
    ///
    /// A file that was named by mistake, or made to do harm, may be wrong in a hundred thousand places.
    init(_ status: ExitStatus, problems: [String]) {
        let hidden = problems.count - Self.maximumProblems
        let lines = problems.prefix(Self.maximumProblems) + (hidden > 0 ? ["Further problems are not listed."] : [])
        self.init(status, lines.joined(separator: "\n"))
    }

    /// The most problems that are listed.
    static let maximumProblems = 100

    /// The message.
    var description: String { self.message }
}
