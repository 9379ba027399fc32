package struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// Another recorder has claimed a partition; nothing was stored.
        package static let fenced = Code(description: "fenced")
        /// The store is busy or broken; waiting can help.
        package static let unavailable = Code(description: "unavailable")
        /// The topics no longer hold the requested records (R43).
        package static let cutByRetention = Code(description: "cutByRetention")
        /// A topic that is missing, or is not recorded.
        package static let unknownTopic = Code(description: "unknownTopic")
        /// The topics do not return the records that they hold by their offsets.
        package static let incomplete = Code(description: "incomplete")
    }

    package var code: Code
    /// What happened, in words for an operator.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(self.message) (\(self.code))" }
}
