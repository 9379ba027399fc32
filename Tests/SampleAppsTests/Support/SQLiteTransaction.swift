import GRDB
import IntentKit

/// A store transaction over a SQLite connection.
struct SQLiteTransaction: StoreTransaction {
    let database: Database

    func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int {
        try self.database.execute(sql: sql, arguments: Self.statementArguments(arguments))
        return self.database.changesCount
    }

    func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject] {
        try Row.fetchAll(self.database, sql: sql, arguments: Self.statementArguments(arguments))
            .map { row in
                var members: JSONObject = [:]
                for (name, value) in row { members[name] = Self.json(value) }
                return members
            }
    }

    private static func statementArguments(_ arguments: [JSONValue]) -> StatementArguments {
        StatementArguments(
            arguments.map { argument -> (any DatabaseValueConvertible)? in
                switch argument {
                case .null: nil
                case .bool(let value): value ? 1 : 0
                case .integer(let value): value
                case .number(let value): value
                case .string(let value): value
                case .array, .object: argument.description
                }
            }
        )
    }

    private static func json(_ value: DatabaseValue) -> JSONValue {
        switch value.storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .number(value)
        case .string(let value): .string(value)
        case .blob: .null
        }
    }
}
