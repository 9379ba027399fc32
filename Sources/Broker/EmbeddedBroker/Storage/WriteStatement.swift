import GRDB
import GRDBSQLite
import NIOCore

/// A statement that writes, compiled once, with its values bound in place.
///
/// GRDB's own arguments are boxes in an array, and each blob among them is a copy. Confined to the broker's thread, as
/// the store is.
final class WriteStatement {
    private let database: Database
    private let statement: Statement
    private var next: Int32 = 1
    private var status = SQLITE_OK

    /// Given instead of a destructor, it makes SQLite copy the bound value (`SQLITE_TRANSIENT`, a macro that Swift
    /// cannot import).
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Compiles a statement.
    init(_ database: Database, _ sql: String) throws {
        self.database = database
        self.statement = try database.makeStatement(sql: sql)
    }

    /// Binds the next argument: an integer or NULL.
    func bind(_ value: Int64?) {
        self.record(
            value.map { sqlite3_bind_int64(self.statement.sqliteStatement, self.next, $0) }
                ?? sqlite3_bind_null(self.statement.sqliteStatement, self.next)
        )
    }

    /// Binds the next argument: a text, which is copied, or NULL.
    func bind(_ value: String?) {
        guard var value else { return self.bind(nil as Int64?) }
        // For a null pointer SQLite would store NULL.
        if value.isEmpty {
            return self.record(sqlite3_bind_text(self.statement.sqliteStatement, self.next, "", 0, nil))
        }
        let status = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_bind_text(
                    self.statement.sqliteStatement,
                    self.next,
                    text.baseAddress,
                    Int32(clamping: text.count),
                    Self.transient
                )
            }
        }
        self.record(status)
    }

    /// Binds the next argument, a blob, and runs the statement while the blob's bytes stay in place.
    func run(with blob: ByteBuffer) throws {
        try blob.withUnsafeReadableBytes { bytes in
            // For a null pointer SQLite would store NULL.
            self.record(
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(self.statement.sqliteStatement, self.next, 0)
                    : sqlite3_bind_blob64(
                        self.statement.sqliteStatement,
                        self.next,
                        bytes.baseAddress,
                        UInt64(bytes.count),
                        nil
                    )
            )
            try self.run()
        }
    }

    /// Runs the statement with the bound arguments, and resets it.
    func run() throws {
        defer {
            self.next = 1
            self.status = SQLITE_OK
            // Its result repeats the error of the step.
            _ = sqlite3_reset(self.statement.sqliteStatement)
            sqlite3_clear_bindings(self.statement.sqliteStatement)
        }
        if self.status == SQLITE_OK { self.status = sqlite3_step(self.statement.sqliteStatement) }
        guard self.status == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: self.status),
                message: self.database.lastErrorMessage,
                sql: self.statement.sql
            )
        }
    }

    private func record(_ status: Int32) {
        if self.status == SQLITE_OK { self.status = status }
        self.next += 1
    }
}
