/// What went wrong with recording.
package struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// Another recorder has claimed a partition; nothing was kept.
        package static let fenced = Code(description: "fenced")
        /// The store is busy or broken; waiting can help.
        package static let unavailable = Code(description: "unavailable")
        /// The records are of other topics than those that are read now.
        package static let foreignRecords = Code(description: "foreignRecords")
        /// The topics no longer hold what was asked for (R43).
        package static let cutByRetention = Code(description: "cutByRetention")
        /// A topic that is missing, or is not one that is recorded.
        package static let unknownTopic = Code(description: "unknownTopic")
        /// The topics do not bring what they said they held.
        package static let incomplete = Code(description: "incomplete")
    }

    /// The kind of failure.
    package var code: Code
    /// What happened, in words for an operator.
    package var message: String

    /// Describes a failure.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its code.
    package var description: String { "\(self.message) (\(self.code))" }
}
