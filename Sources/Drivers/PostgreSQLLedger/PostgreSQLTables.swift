#if PostgreSQL
internal import IntentKit

/// The ledger's statements, inside a transaction.
///
/// Every statement about an interaction first changes its row in `ledgers`. That locks the row: of two transactions about
/// one interaction, the second waits for the first, and is then undone and run again, since its snapshot is older.
struct PostgreSQLTables {
    /// An interaction's row.
    private struct Ledger {
        var isClosed: Bool
        var identity: String?
        /// How often an effect was asked for; above zero it may have some.
        var asked: Int64
        /// The current round.
        var round: Int64

        /// Checks that the interaction, which asks for an effect, has not ended, and is in no later round.
        /// - Throws: `LedgerClosedError` otherwise; `ForeignRequestError`.
        func checkOpen(for key: EffectKey) throws {
            guard self.isClosed || self.round > 0 else { return }
            try ForeignRequestError.check(key.request, key.identity, recorded: self.identity)
            guard !self.isClosed, self.round <= key.round else { throw LedgerClosedError(key) }
        }
    }

    private let connection: PostgreSQLConnection

    /// Wraps a connection that has a transaction open.
    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    /// Makes an effect once; see `EffectLedger.perform(_:_:)`.
    func perform(
        _ key: EffectKey,
        at milliseconds: Int64,
        _ body: (any StoreTransaction) throws -> JSONValue
    ) throws -> JSONValue {
        let isShared = key.origin != key.request
        let own = try self.enter(key.request, asking: isShared ? 0 : 1)
        let origin = isShared ? try self.enter(key.origin, asking: 1) : own
        if origin.asked > 1, let recorded = try self.result(of: key) { return recorded }
        try own.checkOpen(for: key)
        let result = try PostgreSQLTransaction.run(body, self.connection)
        _ = try self.connection.run(
            "INSERT INTO effects (request, name, ordinal, result, at, identity) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .string(key.origin), .string(key.name), .integer(Int64(key.ordinal)),
                .string(String(decoding: result.utf8, as: UTF8.self)), .integer(milliseconds),
                key.originIdentity.map { .string($0.text) } ?? .null,
            ]
        )
        return result
    }

    /// Closes an interaction's ledger; see `EffectLedger.close(request:origin:identity:unlessEffects:)`.
    func close(
        _ request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool,
        at milliseconds: Int64
    ) throws -> Bool {
        if unlessEffects, try !self.names(of: origin).isEmpty { return false }
        _ = try self.close(request, identity, at: milliseconds)
        return true
    }

    /// Ends an interaction, and keeps the offer to undo it if there is one; see
    /// `EffectLedger.end(request:origin:identity:offering:)`.
    func end(
        _ request: String,
        origin: String,
        identity: RequestIdentity?,
        offering offer: UndoOffer?,
        at milliseconds: Int64
    ) throws -> [String] {
        let asked = try self.close(request, identity, at: milliseconds)
        let effects = try self.effects(of: origin, asked: origin == request ? asked : nil)
        guard let offer, let (offered, until) = offer.offered(effects) else { return effects.map(\.name) }
        _ = try self.connection.run(
            """
            INSERT INTO undoable (request, origin, user_id, interaction, intent, effects, at, until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (request) DO UPDATE SET effects = excluded.effects, at = excluded.at, until = excluded.until
            """,
            [
                .string(request), .string(origin), .string(offer.user), .string(offer.interaction),
                .string(String(decoding: offer.intent.json.utf8, as: UTF8.self)),
                .string(String(decoding: JSONValue.array(offered.map(\.json)).utf8, as: UTF8.self)),
                .integer(milliseconds), .integer(until),
            ]
        )
        return effects.map(\.name)
    }

    /// Begins a round; see `EffectLedger.fence(request:origin:identity:round:among:)`.
    func fence(
        _ request: String,
        origin: String,
        identity: RequestIdentity?,
        round: Int,
        among names: Set<String>?
    ) throws -> [MadeEffect] {
        // Who has the rows of both interactions has their effects to itself, so that the answer decides.
        if let names {
            _ = try self.enter(request, asking: 0)
            let effects = try self.effects(of: origin)
            guard effects.allSatisfy({ names.contains($0.name) }) else { return effects }
        }
        let row = try self.connection
            .run(
                """
                INSERT INTO ledgers AS l (request, identity, round) VALUES ($1, $2, $3)
                ON CONFLICT (request) DO UPDATE SET round = greatest(l.round, excluded.round),
                identity = coalesce(l.identity, excluded.identity)
                RETURNING at IS NOT NULL AS closed, identity, asked
                """,
                [.string(request), identity.map { .string($0.text) } ?? .null, .integer(Int64(round))]
            )
            .rows().first
        try ForeignRequestError.check(request, identity, recorded: row?["identity"]?.string)
        if row?["closed"]?.integer == 1 {
            throw LedgerClosedError(EffectKey(request: request, origin: origin, name: "", ordinal: 0, round: round))
        }
        return try self.effects(of: origin, asked: origin == request ? row?["asked"]?.integer ?? 0 : nil)
    }

    /// Undoes effects, each once; see `EffectLedger.undo(_:_:)`.
    func undo(
        _ keys: [EffectKey],
        at milliseconds: Int64,
        _ body: (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) throws -> [JSONValue] {
        try keys.map { key in
            let own = try self.enter(key.request, asking: 0)
            if key.origin != key.request { _ = try self.enter(key.origin, asking: 0) }
            if let undone = try self.undoneResult(of: key) { return undone }
            try own.checkOpen(for: key)
            guard let result = try self.result(of: key) else { throw NoEffectError(key) }
            let undone = try PostgreSQLTransaction.run({ try body(key, result, $0) }, self.connection)
            _ = try self.connection.run(
                """
                WITH gone AS (DELETE FROM effects WHERE request = $1 AND name = $2 AND ordinal = $3 RETURNING *)
                INSERT INTO undone_effects
                (request, name, ordinal, undone_by, round, result, undo_result, made_at, undone_at, identity)
                SELECT request, name, ordinal, $4, $5, result, $6, at, $7, identity FROM gone
                """,
                Self.arguments(key) + [
                    .string(String(decoding: undone.utf8, as: UTF8.self)), .integer(milliseconds),
                ]
            )
            _ = try self.connection.run(
                "UPDATE undoable SET undone_by = coalesce(undone_by, $1) WHERE origin = $2",
                [.string(key.request), .string(key.origin)]
            )
            return undone
        }
    }

    /// An effect, and who undoes it in which round.
    private static func arguments(_ key: EffectKey) -> [JSONValue] {
        [
            .string(key.origin), .string(key.name), .integer(Int64(key.ordinal)), .string(key.request),
            .integer(Int64(key.round)),
        ]
    }

    private func undoneResult(of key: EffectKey) throws -> JSONValue? {
        try self.result(
            of: key,
            """
            SELECT undo_result AS result, identity FROM undone_effects
            WHERE request = $1 AND name = $2 AND ordinal = $3 AND undone_by = $4 AND round = $5
            """,
            Self.arguments(key)
        )
    }

    /// Closes a ledger, and returns how often an effect was asked for.
    private func close(_ request: String, _ identity: RequestIdentity?, at milliseconds: Int64) throws -> Int64 {
        let row = try self.connection
            .run(
                """
                INSERT INTO ledgers AS l (request, identity, at) VALUES ($1, $2, $3)
                ON CONFLICT (request) DO UPDATE SET at = coalesce(l.at, excluded.at),
                identity = CASE WHEN l.at IS NULL THEN excluded.identity ELSE l.identity END
                RETURNING identity, asked
                """,
                [.string(request), identity.map { .string($0.text) } ?? .null, .integer(milliseconds)]
            )
            .rows().first
        try ForeignRequestError.check(request, identity, recorded: row?["identity"]?.string)
        return row?["asked"]?.integer ?? 0
    }

    /// The names of the effects that are shared under that request, in the order in which they were made.
    func names(of origin: String) throws -> [String] { try self.effects(of: origin).map(\.name) }

    /// The same effects, each with its ordinal; `asked` is how often one was asked for, nil to read it.
    private func effects(of origin: String, asked: Int64? = nil) throws -> [MadeEffect] {
        guard try asked ?? self.enter(origin, asking: 0).asked > 0 else { return [] }
        return try self.connection
            .run("SELECT name, ordinal FROM effects WHERE request = $1 ORDER BY number", [.string(origin)])
            .rows().compactMap(MadeEffect.init(row:))
    }

    /// The highest offset in a partition of `requests` with a row; nil without one.
    func lastRequest(inPartition partition: Int) throws -> Int64? {
        let start = "\(partition):"
        // The range ends at the semicolon, the character after the colon.
        return try self.connection
            .run(
                """
                SELECT max(last) AS last FROM (
                SELECT max(convert_from(substr(request, $3), 'UTF8')::bigint) AS last FROM effects
                WHERE request >= $1 AND request < $2
                UNION ALL
                SELECT max(convert_from(substr(request, $3), 'UTF8')::bigint) FROM closed_ledgers
                WHERE request >= $1 AND request < $2) AS requests
                """,
                [.string(start), .string("\(partition);"), .integer(Int64(start.utf8.count + 1))]
            )
            .rows().first?["last"]?
            .integer
    }

    private func enter(_ request: String, asking: Int64) throws -> Ledger {
        let rows = try self.connection
            .run(
                """
                INSERT INTO ledgers AS l (request, asked) VALUES ($1, $2)
                ON CONFLICT (request) DO UPDATE SET asked = l.asked + excluded.asked
                RETURNING at IS NOT NULL AS closed, identity, asked, round
                """,
                [.string(request), .integer(asking)]
            )
            .rows()
        let row = rows.first ?? [:]
        return Ledger(
            isClosed: row["closed"]?.integer == 1,
            identity: row["identity"]?.string,
            asked: row["asked"]?.integer ?? 0,
            round: row["round"]?.integer ?? 0
        )
    }

    private func result(of key: EffectKey) throws -> JSONValue? {
        try self.result(
            of: key,
            "SELECT result, identity FROM effects WHERE request = $1 AND name = $2 AND ordinal = $3",
            [.string(key.origin), .string(key.name), .integer(Int64(key.ordinal))]
        )
    }

    /// The `result` of an effect's row that a query finds; nil without one.
    private func result(of key: EffectKey, _ query: String, _ arguments: [JSONValue]) throws -> JSONValue? {
        guard let row = try self.connection.run(query, arguments).rows().first else { return nil }
        try ForeignRequestError.check(key.origin, key.originIdentity, recorded: row["identity"]?.string)
        // Written by `perform` or `undo`, so the clients' limit for the depth does not apply.
        return try JSONValue(parsing: Array((row["result"]?.string ?? "").utf8), maximumDepth: .max)
    }
}

extension MadeEffect {
    /// Reads a row of `effects`.
    fileprivate init?(row: JSONObject) {
        guard let name = row["name"]?.string else { return nil }
        self.init(name: name, ordinal: Int(row["ordinal"]?.integer ?? 0))
    }
}
#endif
