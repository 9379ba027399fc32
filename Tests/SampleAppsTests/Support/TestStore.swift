import GRDB
import IntentKit

/// A deployment's database in memory, with a ledger of effects.
final class TestStore: Sendable {
    private let queue: DatabaseQueue

    init(_ migrations: [StoreMigration] = []) throws {
        self.queue = try DatabaseQueue()
        try self.queue.write { database in
            try database.execute(sql: "CREATE TABLE ledger (key TEXT PRIMARY KEY, result TEXT NOT NULL)")
            var names: Set<String> = []
            for migration in migrations where names.insert(migration.name).inserted {
                try database.execute(sql: migration.sql)
            }
        }
    }

    /// Changes the stores as the app would.
    @discardableResult
    func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
        try self.queue.write { try body(SQLiteTransaction(database: $0)) }
    }

    /// Performs an effect once: the body and its record in one transaction (R30).
    func perform(_ key: String, _ body: (any StoreTransaction) throws -> JSONValue) throws -> JSONValue {
        try self.write { store in
            let recorded = try store.query("SELECT result FROM ledger WHERE key = ?", [.string(key)])
            if let text = recorded.first?["result"]?.string { return try JSONValue(parsing: text) }
            let result = try body(store)
            try store.execute("INSERT INTO ledger (key, result) VALUES (?, ?)", [.string(key), "\(result)"])
            return result
        }
    }

    func query(_ sql: String) throws -> [JSONObject] { try self.write { try $0.query(sql, []) } }
}
