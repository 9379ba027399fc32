/// A failure of a store that repeating does not resolve.
package typealias StoreError = CodedError<StoreErrorCode>

package enum StoreErrorCode: ErrorCode {
    package static let errorName = "StoreError"

    /// A body used a statement that would end or leave the transaction around it, or change its connection.
    case forbiddenStatement
    /// The number of arguments differs from the number of the statement's parameters.
    case arguments
    /// A value that JSON cannot hold.
    case value
    /// A migration is named twice, or its SQL differs from what was applied under its name.
    case migration
    /// The file exists where it must not, is missing where it must, or belongs to another deployment.
    case file
    /// A newer version has made the file's tables; nothing in it was touched.
    case newer
    /// The file is no consistent SQLite database.
    case damaged
    /// A constraint of a table is violated.
    case constraint
    /// The server has a version or a setting with which the ledger cannot work.
    case settings
    /// Anything else that SQLite reports; the message says what.
    case sqlite
    /// Anything else that a server reports; the message says what.
    case sql
}

/// The database cannot be used at the moment: trying again later can help (R35).
///
/// Another process held a lock for longer than the time-out, the disk is full or fails, or the server is down. Nothing
/// has been changed, with one exception: if a connection broke during a commit, the next try finds out its outcome.
package struct StoreBusyError: TransientError, Hashable, CustomStringConvertible {
    /// The database's message.
    package var message: String

    package init(_ message: String) { self.message = message }

    package var description: String { "The database is temporarily unavailable: \(self.message)" }
}
