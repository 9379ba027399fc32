#if PostgreSQL
internal import CPostgreSQL
internal import IntentKit

/// A failure after which the whole transaction has to run again, on this connection or on a new one.
struct PostgreSQLFailure: TransientError, CustomStringConvertible {
    enum Kind {
        /// The transaction was undone, because another one came between (class 40).
        case conflict
        /// The connection is lost. After COMMIT was sent, it is unknown whether the transaction was committed.
        case lost
    }

    var kind: Kind
    /// What the server or the library said, without values.
    var description: String

    /// The error of a statement's result, for the handler and for the transaction around it.
    ///
    /// Only the primary message is used, since details hold values (R40), and that of class 22 does as well.
    static func error(of result: OpaquePointer, _ sql: String) -> any Error {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) }
        }
        let state = field("C") ?? ""
        let said = state.hasPrefix("22") ? "a value does not fit" : field("M") ?? "PostgreSQL error"
        let message = "\(said) in: \(sql) [\(state)]"
        return switch state {
        case let state where state.hasPrefix("40"): Self(kind: .conflict, description: message)
        case "25P03", "57P01", "57P02", "57P03", "57P05": Self(kind: .lost, description: message)
        case let state where state.hasPrefix("08"): Self(kind: .lost, description: message)
        // A lock or a statement took too long; no room, too many connections, an error of the disk.
        case "55P03", "57014": StoreBusyError(message)
        case let state where state.hasPrefix("53") || state.hasPrefix("58"): StoreBusyError(message)
        // A prepared statement whose table has changed since: the next try prepares it again.
        case "0A000" where field("R") == "RevalidateCachedQuery": Self(kind: .lost, description: message)
        case "22021", "22P05": StoreError(.value, message)
        case let state where state.hasPrefix("23"): StoreError(.constraint, message)
        case let state where state.hasPrefix("XX00"): StoreError(.damaged, message)
        case let state where state.hasPrefix("28") || ["3D000", "3F000", "42501"].contains(state):
            StoreError(.settings, message)
        default: StoreError(.sql, message)
        }
    }
}
#endif
