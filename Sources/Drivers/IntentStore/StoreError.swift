internal import GRDB
internal import IntentKit

/// An error of a database.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that a caller can act on; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for logs.
        package let description: String

        /// A body used a statement that would end or leave the transaction around it, or change its connection.
        package static let forbiddenStatement = Code(description: "forbiddenStatement")
        /// The number of arguments differs from the number of the statement's parameters.
        package static let arguments = Code(description: "arguments")
        /// A value that JSON cannot hold.
        package static let value = Code(description: "value")
        /// A migration is named twice, or its SQL differs from what was applied under its name.
        package static let migration = Code(description: "migration")
        /// The file exists where it must not, is missing where it must, or belongs to another deployment.
        package static let file = Code(description: "file")
        /// A newer version has made the file's tables; nothing in it was touched.
        package static let newer = Code(description: "newer")
        /// The file is no consistent SQLite database.
        package static let damaged = Code(description: "damaged")
        /// A constraint of a table is violated.
        package static let constraint = Code(description: "constraint")
        /// The server has a version or a setting with which the ledger cannot work.
        package static let settings = Code(description: "settings")
        /// Anything else that SQLite reports; the message says what.
        package static let sqlite = Code(description: "sqlite")
        /// Anything else that a server reports; the message says what.
        package static let sql = Code(description: "sql")
    }

    /// The kind of failure.
    package var code: Code
    /// What happened, in words.
    package var message: String

    /// Describes a failure.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its code.
    package var description: String { "\(self.message) (\(self.code))" }
}

/// The database cannot be used at the moment: trying again later can help (R35).
///
/// Another process held a lock for longer than the time-out, the disk is full or fails, or the server is gone. Nothing
/// has been changed, with one exception: if a connection broke during a commit, the next try finds out what became of it.
package struct StoreBusyError: TransientError, Hashable, CustomStringConvertible {
    /// The database's message.
    package var message: String

    /// Describes a failure.
    package init(_ message: String) { self.message = message }

    /// The message.
    package var description: String { "The database is temporarily unavailable: \(self.message)" }
}

extension StoreError {
    /// The error for callers, given one that a connection threw; errors of handlers stay as they are.
    static func translating(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        // The description names the statement, never its arguments: they may be sensitive (R40).
        let message = "\(error.message ?? "SQLite error") in: \(error.sql ?? "no statement")"
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR: StoreBusyError(message)
        case .SQLITE_CONSTRAINT: StoreError(.constraint, message)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            StoreError(.damaged, "The file is damaged or not a SQLite database: \(message)")
        default: StoreError(.sqlite, "\(message) [\(error.extendedResultCode.rawValue)]")
        }
    }
}
