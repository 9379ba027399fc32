package import GRDB
internal import GRDBSQLite
package import IntentKit

/// A connection as bodies of effects and reads see it.
package struct SQLiteTransaction: StoreTransaction {
    private let database: Database

    /// Wraps a connection that has a transaction open.
    package init(_ database: Database) { self.database = database }

    /// Runs a statement and returns how many rows it changed.
    /// - Throws: `StoreError`, ``StoreBusyError``.
    @discardableResult
    package func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int {
        try StoreError.translatingErrors {
            let statement = try self.statement(sql, arguments)
            let before = self.database.totalChangesCount
            try statement.run()
            // SQLite's count of changes keeps its old value when a statement such as CREATE TABLE changes no row.
            return self.database.totalChangesCount > before ? self.database.changesCount : 0
        }
    }

    /// Runs a query and returns its rows, each by column name.
    /// - Throws: `StoreError`, ``StoreBusyError``.
    package func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject] {
        try StoreError.translatingErrors {
            let statement = try self.statement(sql, arguments)
            defer { statement.reset() }
            var rows: [JSONObject] = []
            while try statement.step() {
                var row: JSONObject = [:]
                for index in 0..<statement.columnCount {
                    row[statement.columnName(index)] = try Self.value(of: statement, at: index)
                }
                rows.append(row)
            }
            return rows
        }
    }

    private func statement(_ sql: String, _ arguments: [JSONValue]) throws -> PreparedStatement {
        try StatementKeyword.check(sql, StatementKeyword.ofSQLite)
        let statement = try PreparedStatement(self.database, sql)
        guard statement.parameterCount == arguments.count else {
            throw StoreError(
                .arguments,
                "The statement takes \(statement.parameterCount) arguments, not \(arguments.count): \(sql)"
            )
        }
        for index in Int32(1)..<Int32(arguments.count + 1) {
            // SQLite numbers `$2` by its first occurrence.
            let number = statement.parameterNumber(index) ?? Int(index)
            guard arguments.indices.contains(number - 1) else {
                throw StoreError(.arguments, "The statement's arguments are not $1 to $\(arguments.count): \(sql)")
            }
            let argument = arguments[number - 1]
            switch argument {
            case .null: try statement.bindNull(at: index)
            case .bool(let value): try statement.bind(Int64(value ? 1 : 0), at: index)
            case .integer(let value): try statement.bind(value, at: index)
            case .number(let value): try statement.bind(number: value, at: index)
            case .string(let value): try statement.bind(value, at: index)
            case .array, .object: try statement.bind(text: argument.utf8, at: index)
            }
        }
        return statement
    }

    private static func value(of statement: PreparedStatement, at index: Int32) throws -> JSONValue {
        switch statement.columnType(index) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(statement.integer(index) ?? 0)
        case SQLITE_FLOAT: return .number(statement.number(index))
        case SQLITE_TEXT: return .string(statement.text(index) ?? "")
        default: throw StoreError(.value, "Column \(statement.columnName(index)) holds bytes, not a JSON value.")
        }
    }
}
