package import GRDB
internal import GRDBSQLite
package import IntentEvents

/// A compiled statement, bound and stepped through SQLite's own interface.
///
/// GRDB's arguments end a text at its first NUL, and a client may send one (`\u0000` is JSON). Here texts are bound and
/// read with their length. It is used on its connection's queue only, as GRDB's own statements are.
package struct PreparedStatement {
    private let statement: Statement
    private let handle: SQLiteStatement

    /// Makes SQLite copy bound bytes (`SQLITE_TRANSIENT`, a macro that Swift cannot import).
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Gets a statement from the connection's cache, or compiles it.
    /// - Throws: `DatabaseError` when the SQL is wrong, or is more than one statement.
    package init(_ database: Database, _ sql: String) throws {
        self.statement = try database.cachedStatement(sql: sql)
        self.handle = self.statement.sqliteStatement
        self.reset()
    }

    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(self.handle)) }

    /// The number in an argument's name, such as 2 of `$2`; nil when its name is none.
    package func parameterNumber(_ index: Int32) -> Int? {
        guard let name = sqlite3_bind_parameter_name(self.handle, index), name[0] == CChar(UInt8(ascii: "$")) else {
            return nil
        }
        return Int(String(cString: name + 1))
    }

    /// Prepares it to be run again, with all of its arguments unbound.
    ///
    /// SQLite keeps bound arguments, also the addresses of those that stay in place (`keptText`, `keptBlob`), which may
    /// be freed after a run. A run that binds one of them no more finds NULL, and no freed memory.
    package func reset() {
        // The code repeats the error that the last step has already thrown.
        _ = sqlite3_reset(self.handle)
        sqlite3_clear_bindings(self.handle)
    }

    /// Runs it to its next row; false when there is none.
    /// - Throws: `DatabaseError`.
    package func step() throws -> Bool {
        switch sqlite3_step(self.handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw self.error()
        }
    }

    /// Runs a statement that returns no rows, and prepares it to be run again.
    /// - Throws: `DatabaseError`.
    package func run() throws {
        defer { self.reset() }
        while try self.step() {}
    }

    /// Runs a statement whose arguments are all bound again before its next run; they are not unbound.
    /// - Throws: `DatabaseError`.
    package func runWithNewArguments() throws {
        defer { _ = sqlite3_reset(self.handle) }
        while try self.step() {}
    }

    // MARK: Arguments, from 1

    package func bindNull(at index: Int32) throws { try self.check(sqlite3_bind_null(self.handle, index)) }

    /// Binds an integer, or NULL.
    package func bind(_ value: Int64?, at index: Int32) throws {
        guard let value else { return try self.bindNull(at: index) }
        try self.check(sqlite3_bind_int64(self.handle, index, value))
    }

    package func bind(number value: Double, at index: Int32) throws {
        try self.check(sqlite3_bind_double(self.handle, index, value))
    }

    /// Binds a text, or NULL.
    package func bind(_ value: String?, at index: Int32) throws {
        guard var value else { return try self.bindNull(at: index) }
        try value.withUTF8 { try self.bind(text: $0, Self.transient, at: index) }
    }

    /// Binds a name, or NULL.
    package func bind<Kind>(_ name: Identity<Kind>?, at index: Int32) throws { try self.bind(name?.text, at: index) }

    /// Binds a text's UTF-8.
    package func bind(text: [UInt8], at index: Int32) throws {
        try text.withUnsafeBufferPointer { try self.bind(text: $0, Self.transient, at: index) }
    }

    package func bind(blob: [UInt8], at index: Int32) throws {
        guard !blob.isEmpty else { return try self.check(sqlite3_bind_zeroblob(self.handle, index, 0)) }
        try self.check(sqlite3_bind_blob64(self.handle, index, blob, UInt64(blob.count), Self.transient))
    }

    /// Binds UTF-8 that stays in place until the statement has run.
    package func bind(keptText text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        try self.bind(text: text, nil, at: index)
    }

    /// Binds bytes that stay in place until the statement has run.
    package func bind(keptBlob bytes: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        guard !bytes.isEmpty else { return try self.check(sqlite3_bind_zeroblob(self.handle, index, 0)) }
        try self.check(sqlite3_bind_blob64(self.handle, index, bytes.baseAddress, UInt64(bytes.count), nil))
    }

    private func bind(
        text: UnsafeBufferPointer<UInt8>,
        _ destructor: sqlite3_destructor_type?,
        at index: Int32
    ) throws {
        // A null pointer would be NULL; an empty text is not.
        guard let start = text.baseAddress, !text.isEmpty else {
            return try self.check(sqlite3_bind_text(self.handle, index, "", 0, Self.transient))
        }
        let code = start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            sqlite3_bind_text64(self.handle, index, $0, UInt64(text.count), destructor, UInt8(SQLITE_UTF8))
        }
        try self.check(code)
    }

    // MARK: Columns, from 0

    package var columnCount: Int32 { sqlite3_column_count(self.handle) }

    package func columnName(_ index: Int32) -> String { String(cString: sqlite3_column_name(self.handle, index)) }

    /// SQLite's code of the value's type.
    package func columnType(_ index: Int32) -> Int32 { sqlite3_column_type(self.handle, index) }

    package func isNull(_ index: Int32) -> Bool { self.columnType(index) == SQLITE_NULL }

    /// The value as an integer; nil for NULL.
    package func integer(_ index: Int32) -> Int64? {
        self.isNull(index) ? nil : sqlite3_column_int64(self.handle, index)
    }

    package func number(_ index: Int32) -> Double { sqlite3_column_double(self.handle, index) }

    /// The value as a text; nil for NULL.
    package func text(_ index: Int32) -> String? {
        guard let start = sqlite3_column_text(self.handle, index) else { return nil }
        let count = Int(sqlite3_column_bytes(self.handle, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Appends the value as a text to a key, as a part of its own.
    ///
    /// Rows with equal keys have equal values. No text is made.
    package func append(_ index: Int32, to key: inout [UInt8]) {
        guard let start = sqlite3_column_text(self.handle, index) else {
            key.append(0xFE)
            return
        }
        key.append(contentsOf: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(self.handle, index))))
        // No text in UTF-8 has these bytes.
        key.append(0xFF)
    }

    /// The value as a name; nil for NULL.
    package func identity<Kind>(_ index: Int32) -> Identity<Kind>? { self.text(index).map { Identity($0) } }

    /// The value's bytes; nil for NULL.
    package func bytes(_ index: Int32) -> [UInt8]? {
        guard !self.isNull(index) else { return nil }
        guard let start = sqlite3_column_blob(self.handle, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(self.handle, index))))
    }

    // MARK: Errors

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw self.error() }
    }

    private func error() -> DatabaseError {
        let connection = sqlite3_db_handle(self.handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: self.statement.sql
        )
    }
}
