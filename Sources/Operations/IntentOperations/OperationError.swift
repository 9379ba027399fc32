/// The reason why an operation fails: what is wrong, where, and what would be right (R49).
package struct OperationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; commands end with the exit status of it.
    package enum Code: Hashable, Sendable {
        /// The request itself is wrong.
        case usage
        case badData
        case noInput
        /// A required service does not answer, or another process holds a required resource.
        case unavailable
        /// intentd itself has failed.
        case internalError
        /// The configuration, the topics or the store do not match.
        case configuration
    }

    package var code: Code
    /// The message, which may have several lines; commands in it are those of the terminal, in backquotes.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Lists problems, a line each.
    ///
    /// A file that was named by mistake, or made to do harm, may be wrong in a hundred thousand places.
    package init(_ code: Code, problems: [String]) {
        let hidden = problems.count - Self.maximumProblems
        let lines = problems.prefix(Self.maximumProblems) + (hidden > 0 ? ["Further problems are not listed."] : [])
        self.init(code, lines.joined(separator: "\n"))
    }

    /// The most problems that are listed.
    package static let maximumProblems = 100

    package var description: String { self.message }
}
