internal import GRDB
package import IntentKit

extension StoreError {
    /// Runs a body; errors of a connection are thrown as callers know them.
    package static func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Self.translating(error)
        }
    }

    /// The error for callers, given one that a connection threw; errors of handlers stay as they are.
    package static func translating(_ error: any Error) -> any Error {
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
