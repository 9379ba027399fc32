package struct LogError: Error, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// No broker answers (wrong address, or it is down): waiting can help.
        package static let unavailable = Code(description: "unavailable")
        /// Another member has taken over; nothing was written.
        package static let fenced = Code(description: "fenced")
        /// It is not known whether the transaction was committed.
        ///
        /// The lane is no longer usable: make a new one, and read what the log holds.
        package static let outcomeUnknown = Code(description: "outcomeUnknown")
        /// The broker does not let a lane begin: it has not ended the last transaction of the lane's transactional id.
        package static let transactionHeld = Code(description: "transactionHeld")
        /// A topic or partition that does not exist.
        package static let unknownTopic = Code(description: "unknownTopic")
        /// A record is larger than its topic accepts; nothing was written.
        package static let recordTooLarge = Code(description: "recordTooLarge")
        /// An offset that the log no longer holds, or does not hold yet.
        package static let offsetOutOfRange = Code(description: "offsetOutOfRange")
        /// Retention has removed records before they were read: continuing would lose them silently.
        package static let eventsLost = Code(description: "eventsLost")
        /// The group has lost its offsets: continuing would do everything again.
        package static let offsetsLost = Code(description: "offsetsLost")
        /// The topics are not those that were read before: recreated, deleted, or with another number of partitions.
        package static let topicsChanged = Code(description: "topicsChanged")
        /// Another program is a member of the group, and reads other topics or shares partitions out in another way.
        package static let groupShared = Code(description: "groupShared")
        /// Records that the client library cannot parse: garbage, or a codec that it lacks.
        package static let unreadable = Code(description: "unreadable")
        /// Reading stays at one offset although the log holds more.
        package static let noProgress = Code(description: "noProgress")
        /// A setting that the log refuses.
        package static let configuration = Code(description: "configuration")
        /// The broker refuses this client: credentials, or rights.
        package static let notAuthorized = Code(description: "notAuthorized")
        /// The broker has no authorizer.
        package static let noAuthorizer = Code(description: "noAuthorizer")
        /// The lane, reader or producer was closed before the call.
        package static let closed = Code(description: "closed")
        /// A record has a format that this version does not read: nothing was written, and waiting does not help.
        package static let unreadableFormat = Code(description: "unreadableFormat")
        /// Anything else; the message says what.
        package static let other = Code(description: "other")

        /// Whether only an operator can resolve it: the process exits (exit status 78) instead of retrying.
        package var needsOperator: Bool {
            [.eventsLost, .offsetsLost, .topicsChanged, .unreadableFormat].contains(self)
        }
    }

    package var code: Code
    /// What happened and to what, in words for an operator.
    package var message: String
    /// Whether the same call may succeed later without any change.
    package var isRetriable: Bool

    package init(_ code: Code, _ message: String, isRetriable: Bool = false) {
        self.code = code
        self.message = message
        self.isRetriable = isRetriable
    }

    package var description: String { "\(self.message) (\(self.code))" }
}

extension Result where Success: Sendable, Failure == LogError {
    /// What a closure returns or throws.
    package init(awaiting body: () async throws(LogError) -> Success) async {
        do throws(LogError) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
