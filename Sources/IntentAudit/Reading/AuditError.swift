/// Why an audit cannot be made: not a finding, but something without which there is nothing to find.
package struct AuditError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// Retention has removed a part of what was asked for (R43).
        package static let cutByRetention = Code(description: "cutByRetention")
        /// There is no such interaction, turn or partition.
        package static let notFound = Code(description: "notFound")
        /// The topics do not bring what they said they held.
        package static let incomplete = Code(description: "incomplete")
        /// A file that is none of ours.
        package static let badData = Code(description: "badData")
    }

    /// The kind of failure.
    package var code: Code
    /// What happened, in words, and what would help.
    package var message: String

    /// Describes a failure.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its code.
    package var description: String { "\(self.message) (\(self.code))" }
}
