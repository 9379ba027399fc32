internal import GRDB
internal import IntentKit

/// The ledger's statements, inside a transaction.
struct LedgerTables {
    private let database: Database

    /// Wraps a connection that has a transaction open.
    init(_ database: Database) { self.database = database }

    /// The recorded result of an effect; nil when it has not been made.
    func result(of key: EffectKey) throws -> JSONValue? {
        let statement = try PreparedStatement(
            self.database,
            "SELECT result FROM effects WHERE request = ? AND name = ? AND ordinal = ?"
        )
        defer { statement.reset() }
        try statement.bind(key.origin, at: 1)
        try statement.bind(key.name, at: 2)
        try statement.bind(Int64(key.ordinal), at: 3)
        guard try statement.step() else { return nil }
        // Written by `record`, so the depth that clients are held to does not count.
        return try JSONValue(parsing: statement.bytes(0) ?? [], maximumDepth: .max)
    }

    /// Records an effect's result.
    func record(_ result: JSONValue, of key: EffectKey, at milliseconds: Int64) throws {
        let statement = try PreparedStatement(
            self.database,
            "INSERT INTO effects (request, name, ordinal, result, at) VALUES (?, ?, ?, ?, ?)"
        )
        try statement.bind(key.origin, at: 1)
        try statement.bind(key.name, at: 2)
        try statement.bind(Int64(key.ordinal), at: 3)
        try statement.bind(text: result.utf8, at: 4)
        try statement.bind(milliseconds, at: 5)
        try statement.run()
    }

    /// Whether the interaction has ended.
    func isClosed(_ request: String) throws -> Bool {
        try self.exists("SELECT 1 FROM closed_ledgers WHERE request = ?", request)
    }

    /// Whether any of the effects that are shared under that request has been made.
    func hasEffects(_ origin: String) throws -> Bool {
        try self.exists("SELECT 1 FROM effects WHERE request = ? LIMIT 1", origin)
    }

    /// The names of the effects that are shared under that request, in the order in which they were made.
    func names(of origin: String) throws -> [String] {
        let statement = try PreparedStatement(
            self.database,
            "SELECT name FROM effects WHERE request = ? ORDER BY rowid"
        )
        defer { statement.reset() }
        try statement.bind(origin, at: 1)
        var names: [String] = []
        while try statement.step() {
            if let bytes = statement.bytes(0) { names.append(String(decoding: bytes, as: UTF8.self)) }
        }
        return names
    }

    /// Ends the interaction.
    func close(_ request: String, at milliseconds: Int64) throws {
        let statement = try PreparedStatement(self.database, "INSERT INTO closed_ledgers (request, at) VALUES (?, ?)")
        try statement.bind(request, at: 1)
        try statement.bind(milliseconds, at: 2)
        try statement.run()
    }

    private func exists(_ sql: String, _ request: String) throws -> Bool {
        let statement = try PreparedStatement(self.database, sql)
        defer { statement.reset() }
        try statement.bind(request, at: 1)
        return try statement.step()
    }
}
