internal import GRDB
internal import IntentKit
internal import SQLiteStore

/// The ledger's statements, inside a transaction.
struct LedgerTables {
    private let database: Database

    /// Wraps a connection that has a transaction open.
    init(_ database: Database) { self.database = database }

    /// The recorded result of an effect; nil when it has not been made.
    /// - Throws: `ForeignRequestError` when it belongs to another request that had that position.
    func result(of key: EffectKey) throws -> JSONValue? {
        let statement = try PreparedStatement(
            self.database,
            "SELECT result, identity FROM effects WHERE request = ? AND name = ? AND ordinal = ?"
        )
        defer { statement.reset() }
        try self.bind(effect: key, to: statement)
        guard try statement.step() else { return nil }
        try ForeignRequestError.check(key.origin, key.originIdentity, recorded: statement.text(1))
        // Written by `record`, so the clients' limit for the depth does not apply.
        return try JSONValue(parsing: statement.bytes(0) ?? [], maximumDepth: .max)
    }

    func record(_ result: JSONValue, of key: EffectKey, at milliseconds: Int64) throws {
        let statement = try PreparedStatement(
            self.database,
            "INSERT INTO effects (request, name, ordinal, result, at, identity) VALUES (?, ?, ?, ?, ?, ?)"
        )
        try self.bind(effect: key, to: statement)
        try statement.bind(text: result.utf8, at: 4)
        try statement.bind(milliseconds, at: 5)
        try statement.bind(key.originIdentity?.text, at: 6)
        try statement.run()
    }

    /// Whether the interaction has ended.
    /// - Throws: `ForeignRequestError` when the ended interaction is another one, whose request had that position.
    func isClosed(_ request: String, _ identity: RequestIdentity?) throws -> Bool {
        let statement = try PreparedStatement(self.database, "SELECT identity FROM closed_ledgers WHERE request = ?")
        defer { statement.reset() }
        try statement.bind(request, at: 1)
        guard try statement.step() else { return false }
        try ForeignRequestError.check(request, identity, recorded: statement.text(0))
        return true
    }

    /// The interaction's current round; 0 when it has never gone back to the user.
    /// - Throws: `ForeignRequestError` when it is that of another interaction, whose request had that position.
    func round(of request: String, _ identity: RequestIdentity?) throws -> Int {
        let statement = try PreparedStatement(
            self.database,
            "SELECT round, identity FROM ledger_rounds WHERE request = ?"
        )
        defer { statement.reset() }
        try statement.bind(request, at: 1)
        guard try statement.step() else { return 0 }
        try ForeignRequestError.check(request, identity, recorded: statement.text(1))
        return Int(statement.integer(0) ?? 0)
    }

    /// Checks that the interaction that asks for an effect has not ended, and is in no later round.
    /// - Throws: `LedgerClosedError` otherwise; `ForeignRequestError`.
    func checkOpen(for key: EffectKey) throws {
        if try self.isClosed(key.request, key.identity) { throw LedgerClosedError(key) }
        if try self.round(of: key.request, key.identity) > key.round { throw LedgerClosedError(key) }
    }

    func begin(round: Int, of request: String, _ identity: RequestIdentity?) throws {
        let statement = try PreparedStatement(
            self.database,
            """
            INSERT INTO ledger_rounds (request, round, identity) VALUES (?, ?, ?)
            ON CONFLICT (request) DO UPDATE SET round = excluded.round
            """
        )
        try statement.bind(request, at: 1)
        try statement.bind(Int64(round), at: 2)
        try statement.bind(identity?.text, at: 3)
        try statement.run()
    }

    /// Whether any effect that is shared under that request has been made.
    func hasEffects(_ origin: String) throws -> Bool {
        let statement = try PreparedStatement(self.database, "SELECT 1 FROM effects WHERE request = ? LIMIT 1")
        defer { statement.reset() }
        try statement.bind(origin, at: 1)
        return try statement.step()
    }

    /// The names of the effects that are shared under that request, in the order in which they were made.
    func names(of origin: String) throws -> [String] { try self.effects(of: origin).map(\.name) }

    /// The effects that are shared under that request, in the order in which they were made.
    func effects(of origin: String) throws -> [MadeEffect] {
        let statement = try PreparedStatement(
            self.database,
            "SELECT name, ordinal FROM effects WHERE request = ? ORDER BY rowid"
        )
        defer { statement.reset() }
        try statement.bind(origin, at: 1)
        var effects: [MadeEffect] = []
        while try statement.step() {
            guard let bytes = statement.bytes(0) else { continue }
            let ordinal = Int(statement.integer(1) ?? 0)
            effects.append(MadeEffect(name: String(decoding: bytes, as: UTF8.self), ordinal: ordinal))
        }
        return effects
    }

    /// The result of undoing an effect, if that interaction has undone it in that round; nil when it has not.
    /// - Throws: `ForeignRequestError` when the effect belongs to another request that had that position.
    func undoneResult(of key: EffectKey) throws -> JSONValue? {
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT undo_result, identity FROM undone_effects
            WHERE request = ? AND name = ? AND ordinal = ? AND undone_by = ? AND round = ?
            """
        )
        defer { statement.reset() }
        try self.bind(key, to: statement)
        guard try statement.step() else { return nil }
        try ForeignRequestError.check(key.origin, key.originIdentity, recorded: statement.text(1))
        // Written by `move`, so the clients' limit for the depth does not apply.
        return try JSONValue(parsing: statement.bytes(0) ?? [], maximumDepth: .max)
    }

    /// Moves an effect to those that were undone.
    func move(_ key: EffectKey, undone result: JSONValue, at milliseconds: Int64) throws {
        let insert = try PreparedStatement(
            self.database,
            """
            INSERT INTO undone_effects
            (request, name, ordinal, undone_by, round, result, undo_result, made_at, undone_at, identity)
            SELECT request, name, ordinal, ?4, ?5, result, ?6, at, ?7, identity FROM effects
            WHERE request = ?1 AND name = ?2 AND ordinal = ?3
            """
        )
        try self.bind(key, to: insert)
        try insert.bind(text: result.utf8, at: 6)
        try insert.bind(milliseconds, at: 7)
        try insert.run()
        let delete = try PreparedStatement(
            self.database,
            "DELETE FROM effects WHERE request = ? AND name = ? AND ordinal = ?"
        )
        try self.bind(effect: key, to: delete)
        try delete.run()
    }

    /// Keeps that an interaction may be undone; what was kept of it before is replaced.
    func offer(_ offer: UndoOffer, of request: String, origin: String, at milliseconds: Int64) throws {
        guard let (effects, until) = offer.offered(try self.effects(of: origin)) else { return }
        let statement = try PreparedStatement(
            self.database,
            """
            INSERT OR REPLACE INTO undoable (request, origin, user_id, interaction, intent, effects, at, until)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        try statement.bind(request, at: 1)
        try statement.bind(origin, at: 2)
        try statement.bind(offer.user, at: 3)
        try statement.bind(offer.interaction, at: 4)
        try statement.bind(text: offer.intent.json.utf8, at: 5)
        try statement.bind(text: JSONValue.array(effects.map(\.json)).utf8, at: 6)
        try statement.bind(milliseconds, at: 7)
        try statement.bind(until, at: 8)
        try statement.run()
    }

    /// Records by whom the effects of a request were undone, so that nobody else is offered that.
    func withdrawOffers(of key: EffectKey) throws {
        let statement = try PreparedStatement(
            self.database,
            "UPDATE undoable SET undone_by = coalesce(undone_by, ?) WHERE origin = ?"
        )
        try statement.bind(key.request, at: 1)
        try statement.bind(key.origin, at: 2)
        try statement.run()
    }

    /// Binds the first five parameters: an effect, and who undoes it in which round.
    private func bind(_ key: EffectKey, to statement: PreparedStatement) throws {
        try self.bind(effect: key, to: statement)
        try statement.bind(key.request, at: 4)
        try statement.bind(Int64(key.round), at: 5)
    }

    /// Binds the first three parameters: an effect.
    private func bind(effect key: EffectKey, to statement: PreparedStatement) throws {
        try statement.bind(key.origin, at: 1)
        try statement.bind(key.name, at: 2)
        try statement.bind(Int64(key.ordinal), at: 3)
    }

    /// Ends an interaction; one that has ended stays as it is.
    func close(_ request: String, _ identity: RequestIdentity?, at milliseconds: Int64) throws {
        guard try !self.isClosed(request, identity) else { return }
        let statement = try PreparedStatement(
            self.database,
            "INSERT INTO closed_ledgers (request, at, identity) VALUES (?, ?, ?)"
        )
        try statement.bind(request, at: 1)
        try statement.bind(milliseconds, at: 2)
        try statement.bind(identity?.text, at: 3)
        try statement.run()
    }

    /// The highest offset in a partition of `requests` with a row; nil without one.
    ///
    /// Positions are texts, which do not sort as their numbers do. So all of the partition's are read, in the keys' own
    /// indexes.
    func lastRequest(inPartition partition: Int) throws -> Int64? {
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT max(offset) FROM (
            SELECT max(CAST(substr(request, ?3) AS INTEGER)) AS offset FROM effects WHERE request >= ?1 AND request < ?2
            UNION ALL
            SELECT max(CAST(substr(request, ?3) AS INTEGER)) FROM closed_ledgers WHERE request >= ?1 AND request < ?2)
            """
        )
        defer { statement.reset() }
        let start = "\(partition):"
        // The range ends at the semicolon, the character after the colon.
        try statement.bind(start, at: 1)
        try statement.bind("\(partition);", at: 2)
        try statement.bind(Int64(start.utf8.count + 1), at: 3)
        return try statement.step() ? statement.integer(0) : nil
    }
}
