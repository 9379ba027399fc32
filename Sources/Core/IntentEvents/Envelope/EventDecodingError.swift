/// Why a record is no event (R47), with what is known about it all the same.
package struct EventDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of defect; the raw value goes into the header `intentd_error`.
    package enum Code: String, Sendable, CaseIterable {
        /// The value is missing, not UTF-8, not JSON, or nested too deeply.
        case malformed
        case missingType
        case missingUser
        /// A request without an intent's name.
        case missingIntentName
        /// An attribute or the value exceeds its limit.
        case tooLarge
        /// The record's key, `ce_userid` and `data.user.id` are not the same.
        case userMismatch
        /// Decoding the event, or its handler, has repeatedly ended the worker's process (R56).
        case crashed
    }

    package var code: Code
    /// What is wrong and what would be right.
    package var detail: String
    /// The event's type, if it could be read.
    package var type: String?
    /// The user, if it could be read.
    package var userID: UserID?
    /// The interaction's id, if it could be read.
    package var subject: InteractionID?
    /// The user whom the record's key names, if the value cannot be read and nothing else names a user.
    ///
    /// It names whom to answer, and no user of an event: any client can write any key (R47a).
    package var keyUserID: UserID?

    package var description: String { self.detail }
}
