/// What went wrong between intentd and its log.
package struct LogError: Error, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// No broker answers (wrong address, or it is down): waiting can help.
        package static let unavailable = Code(description: "unavailable")
        /// Another member has taken over what this one tried to write for; nothing was written.
        package static let fenced = Code(description: "fenced")
        /// It is not known whether the transaction was committed.
        ///
        /// The lane is of no more use: make a new one, and read what the log holds.
        package static let outcomeUnknown = Code(description: "outcomeUnknown")
        /// A topic or partition that does not exist.
        package static let unknownTopic = Code(description: "unknownTopic")
        /// A record is larger than its topic takes; nothing was written.
        package static let recordTooLarge = Code(description: "recordTooLarge")
        /// An offset that the log no longer holds, or does not hold yet.
        package static let offsetOutOfRange = Code(description: "offsetOutOfRange")
        /// A setting that the log refuses.
        package static let configuration = Code(description: "configuration")
        /// The broker refuses this client: credentials, or rights.
        package static let notAuthorized = Code(description: "notAuthorized")
        /// The broker holds nobody to any rights.
        package static let noAuthorizer = Code(description: "noAuthorizer")
        /// The lane, reader or producer was closed before the call.
        package static let closed = Code(description: "closed")
        /// A record is of a format that this version does not read: nothing was written, and waiting does not help.
        package static let unreadableFormat = Code(description: "unreadableFormat")
        /// Anything else; the message says what.
        package static let other = Code(description: "other")
    }

    /// The kind of failure.
    package var code: Code
    /// What happened and to what, in words for an operator.
    package var message: String
    /// Whether the same call may succeed later without any change.
    package var isRetriable: Bool

    /// Describes a failure.
    package init(_ code: Code, _ message: String, isRetriable: Bool = false) {
        self.code = code
        self.message = message
        self.isRetriable = isRetriable
    }

    /// The message with its code.
    package var description: String { "\(self.message) (\(self.code))" }
}
