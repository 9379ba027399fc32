/// The reason why an audit cannot be done: not a finding, but something without which nothing can be found.
package struct AuditError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; later versions may add more.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// Retention has removed a part of the requested range (R43).
        package static let cutByRetention = Code(description: "cutByRetention")
        /// Interaction, turn or partition not found.
        package static let notFound = Code(description: "notFound")
        /// The topics do not return all the records that their offsets promise.
        package static let incomplete = Code(description: "incomplete")
        /// A file that is not in one of intentd's formats.
        package static let badData = Code(description: "badData")
    }

    package var code: Code
    /// What happened, in words, and what would help.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(self.message) (\(self.code))" }
}
