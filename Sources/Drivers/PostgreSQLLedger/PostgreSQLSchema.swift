#if PostgreSQL
internal import IntentKit

/// The ledger's own tables, in the first schema of the connection's search path, beside those of the handlers'
/// migrations.
enum PostgreSQLSchema {
    static let version: Int64 = 1
    /// The oldest server that is tested, as `server_version_num` says it.
    private static let oldestServer: Int64 = 140_000

    /// The tables; see `LedgerSchema` for what SQLite's have in common with them.
    ///
    /// - `ledgers`: one row for each interaction that has asked for an effect or has ended. `at` and `identity` are set
    ///   when it ends; `asked` counts its requests for effects; `round` is its current round (R72d), with which
    ///   `identity` is set too. Who changes the row has the interaction to itself until
    ///   the end of the transaction. Who undoes an effect has its interaction and the undoing one.
    /// - `closed_ledgers`: those that have ended.
    private static let sql = """
        CREATE TABLE store (identifier text NOT NULL PRIMARY KEY, version bigint NOT NULL);
        CREATE TABLE deployment (identifier text NOT NULL PRIMARY KEY, prefix text NOT NULL);
        CREATE TABLE effects (
            request  bytea NOT NULL,
            name     bytea NOT NULL,
            ordinal  bigint NOT NULL,
            result   text NOT NULL,
            at       bigint NOT NULL,
            identity text,
            number   bigint GENERATED ALWAYS AS IDENTITY,
            PRIMARY KEY (request, name, ordinal)
        );
        \(Self.undone);
        CREATE TABLE ledgers (
            request  bytea NOT NULL PRIMARY KEY,
            at       bigint,
            identity text,
            asked    bigint NOT NULL DEFAULT 0,
            round    bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 80);
        CREATE VIEW closed_ledgers AS SELECT request, at, identity FROM ledgers WHERE at IS NOT NULL;
        CREATE TABLE migrations (name text NOT NULL PRIMARY KEY, sql text NOT NULL, ordinal bigint NOT NULL);
        CREATE TABLE cuts (
            number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            before   bigint NOT NULL,
            document text NOT NULL
        );
        """

    private static let undone = """
        CREATE TABLE IF NOT EXISTS undone_effects (
            request     bytea NOT NULL,
            name        bytea NOT NULL,
            ordinal     bigint NOT NULL,
            undone_by   bytea NOT NULL,
            round       bigint NOT NULL,
            result      text NOT NULL,
            undo_result text NOT NULL,
            made_at     bigint NOT NULL,
            undone_at   bigint NOT NULL,
            identity    text,
            PRIMARY KEY (request, name, ordinal, undone_by, round)
        );
        CREATE TABLE IF NOT EXISTS undoable (
            request     bytea NOT NULL PRIMARY KEY,
            origin      bytea NOT NULL,
            user_id     bytea NOT NULL,
            interaction bytea NOT NULL,
            intent      text NOT NULL,
            effects     text NOT NULL,
            at          bigint NOT NULL,
            until       bigint NOT NULL,
            undone_by   bytea
        );
        CREATE INDEX IF NOT EXISTS undoable_of_users ON undoable (user_id, at);
        CREATE INDEX IF NOT EXISTS undoable_of_origins ON undoable (origin)
        """

    /// Makes the tables, applies new migrations, and returns the store's id.
    ///
    /// All of it is one transaction under a lock: of several workers that start together, all but the first find
    /// everything done.
    /// - Throws: `StoreError`, ``StoreBusyError``, ``PostgreSQLFailure``.
    static func prepare(_ connection: PostgreSQLConnection, migrations: [StoreMigration]) throws -> String {
        try self.checkServer(connection)
        // Each statement sees what is committed when it begins, so also what the lock's last owner has done.
        try connection.script(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s';
            SELECT pg_advisory_xact_lock(hashtextextended('intentd ' || current_schema(), 0))
            """,
            limit: .seconds(70)
        )
        do {
            if try self.identifier(connection) == nil {
                try connection.script(self.sql)
                let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
                let identifier = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                _ = try connection.run(
                    "INSERT INTO store (identifier, version) VALUES ($1, $2)",
                    [.string(identifier), .integer(self.version)]
                )
            }
            try self.addRounds(connection)
            try self.addTables(connection)
            let identifier = try self.identifier(connection) ?? ""
            try self.apply(migrations, on: connection)
            try connection.script("COMMIT")
            return identifier
        } catch {
            if !connection.isLost { try connection.script("ROLLBACK") }
            throw error
        }
    }

    /// Adds the column that tables of earlier versions lack; their statements do not name it.
    private static func addRounds(_ connection: PostgreSQLConnection) throws {
        let sql = "SELECT 1 AS found FROM pg_attribute WHERE attrelid = 'ledgers'::regclass AND attname = 'round'"
        guard try connection.run(sql, []).rows().isEmpty else { return }
        try connection.script("ALTER TABLE ledgers ADD COLUMN round bigint NOT NULL DEFAULT 0")
    }

    /// Adds the tables that earlier versions lack.
    private static func addTables(_ connection: PostgreSQLConnection) throws {
        let found = try connection.run("SELECT to_regclass('undoable') IS NOT NULL AS found", []).rows()
        if found.first?["found"]?.integer != 1 { try connection.script(self.undone) }
    }

    /// The store's id; nil when there are no tables yet.
    /// - Throws: `StoreError`, `newer` for tables of a later version.
    static func identifier(_ connection: PostgreSQLConnection) throws -> String? {
        let found = try connection.run("SELECT to_regclass('store') IS NOT NULL AS found", []).rows()
        guard found.first?["found"]?.integer == 1 else { return nil }
        let row = try connection.run("SELECT identifier, version FROM store", []).rows().first
        guard let row, let version = row["version"]?.integer else { return nil }
        guard version <= self.version else {
            throw StoreError(
                .newer,
                "The store has schema version \(version), but this version of intentd supports only up to \(self.version). "
                    + "It was not changed. Start the newer version that wrote it."
            )
        }
        return row["identifier"]?.string
    }

    private static func checkServer(_ connection: PostgreSQLConnection) throws {
        let row =
            try connection
            .run(
                """
                SELECT current_setting('server_version_num')::bigint AS version,
                current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync
                """,
                []
            )
            .rows().first ?? [:]
        guard let version = row["version"]?.integer, version >= self.oldestServer else {
            throw StoreError(.settings, "The server is older than PostgreSQL 14.")
        }
        guard row["encoding"] == "UTF8" else {
            throw StoreError(.settings, "The encoding of the database is not UTF8: create it with ENCODING 'UTF8'.")
        }
        guard row["fsync"] == "on" else {
            throw StoreError(
                .settings,
                "The server runs with fsync = off: a power failure can lose effects that were reported."
            )
        }
    }

    private static func apply(_ migrations: [StoreMigration], on connection: PostgreSQLConnection) throws {
        var steps: [String: String] = [:]
        for migration in migrations {
            guard let sql = migration.postgreSQL else {
                throw StoreError(
                    .migration,
                    "Migration \(migration.name) has no SQL for PostgreSQL: its handlers need `ledger: sqlite`."
                )
            }
            // Extensions that share tables each list the step that makes them.
            guard steps[migration.name] != sql else { continue }
            guard steps.updateValue(sql, forKey: migration.name) == nil else {
                throw StoreError(.migration, "Two migrations with different SQL are named \(migration.name).")
            }
            let applied = try connection.run("SELECT sql FROM migrations WHERE name = $1", [.string(migration.name)])
                .rows().first?["sql"]?
                .string
            if let applied {
                guard applied == sql else {
                    throw StoreError(
                        .migration,
                        "Migration \(migration.name) was applied with other SQL: add a new step instead."
                    )
                }
                continue
            }
            try connection.script(sql, limit: .seconds(3_600))
            guard connection.isInTransaction else {
                throw StoreError(.migration, "Migration \(migration.name) ends the transaction that it runs in.")
            }
            _ = try connection.run(
                "INSERT INTO migrations (name, sql, ordinal) SELECT $1, $2, count(*) FROM migrations",
                [.string(migration.name), .string(sql)]
            )
        }
    }
}
#endif
