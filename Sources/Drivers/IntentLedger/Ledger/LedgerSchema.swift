internal import GRDB
internal import IntentKit
internal import SQLiteStore

/// The ledger's own tables in `store.sqlite`, beside those of the handlers' migrations.
enum LedgerSchema {
    /// The version of the tables; files without one have the first version.
    static let version = 1

    /// The tables.
    ///
    /// - `store`: one row. `identifier`: a random id made with the file; workers of a deployment refuse another one
    ///   (R31).
    /// - `deployment`: one row at most. `identifier`: the id of the deployment whose requests are the keys of the other
    ///   tables; `prefix`: the prefix of its topics' names. A file from before this table has no row until its
    ///   deployment is found to name it (`LedgerStore.join(_:on:)`).
    /// - `effects`: one row for each effect that was made (R30). `request`: the position of the interaction's request,
    ///   `partition:offset`, or of the first one's when it was redriven (R48): all that follow from each other share
    ///   its rows. `name`, `ordinal`: which effect it is; `result`: the body's result, as JSON; `at`: its time, in
    ///   milliseconds since 1970; `identity`: what distinguishes the request from another one at that position
    ///   (`RequestIdentity`), NULL in rows of an intentd version that did not store it.
    /// - `undone_effects`: one row for each effect that was undone, as often as it was (R75). `undone_by`: the request of
    ///   the interaction that undid it, in its round `round`; `undo_result`: the undo's result, as JSON; `made_at`,
    ///   `undone_at`: the times, in milliseconds since 1970; the other columns as in `effects`, where its row was.
    /// - `undoable`: one row for each interaction that has succeeded and whose user may undo it (R75). `request`: its own;
    ///   `origin`: the one whose effects it shares; `user_id`, `interaction`, `intent`: whose it is, its id, and its values
    ///   as JSON; `effects`: those that can be undone, as JSON; `at`, `until`: when it has ended, and until when it can be
    ///   undone, in milliseconds since 1970; `undone_by`: the request of the interaction that has undone it.
    /// - `closed_ledgers`: one row for each interaction that has ended, by its own `request`: it makes no further
    ///   effect. `at`: its time, in milliseconds since 1970; `identity`: as above; both NULL in rows of an intentd
    ///   version that did not store them.
    /// - `ledger_rounds`: one row for each interaction that went back to the user from `handle`, by its own `request`.
    ///   `round`: the current round, whose effects alone are made (R72d); `identity`: as above. It is removed with the
    ///   interaction's end.
    /// - `cuts`: what was removed on purpose (``CutTable``).
    /// - `migrations`: one row for each step of the handlers' tables, by `name`, with its `sql` and its `ordinal` in
    ///   the order in which they were applied.
    static let sql = """
        CREATE TABLE IF NOT EXISTS store (
            identifier TEXT NOT NULL PRIMARY KEY
        ) STRICT;
        CREATE TABLE IF NOT EXISTS deployment (
            identifier TEXT NOT NULL PRIMARY KEY,
            prefix     TEXT NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS effects (
            request TEXT NOT NULL,
            name    TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            result  TEXT NOT NULL,
            at      INTEGER NOT NULL,
            identity TEXT,
            PRIMARY KEY (request, name, ordinal)
        ) STRICT;
        CREATE TABLE IF NOT EXISTS undone_effects (
            request     TEXT NOT NULL,
            name        TEXT NOT NULL,
            ordinal     INTEGER NOT NULL,
            undone_by   TEXT NOT NULL,
            round       INTEGER NOT NULL,
            result      TEXT NOT NULL,
            undo_result TEXT NOT NULL,
            made_at     INTEGER NOT NULL,
            undone_at   INTEGER NOT NULL,
            identity    TEXT,
            PRIMARY KEY (request, name, ordinal, undone_by, round)
        ) STRICT;
        CREATE TABLE IF NOT EXISTS undoable (
            request     TEXT NOT NULL PRIMARY KEY,
            origin      TEXT NOT NULL,
            user_id     TEXT NOT NULL,
            interaction TEXT NOT NULL,
            intent      TEXT NOT NULL,
            effects     TEXT NOT NULL,
            at          INTEGER NOT NULL,
            until       INTEGER NOT NULL,
            undone_by   TEXT
        ) STRICT;
        CREATE INDEX IF NOT EXISTS undoable_of_users ON undoable (user_id, at);
        CREATE INDEX IF NOT EXISTS undoable_of_origins ON undoable (origin);
        CREATE TABLE IF NOT EXISTS closed_ledgers (
            request TEXT NOT NULL PRIMARY KEY,
            at      INTEGER,
            identity TEXT
        ) STRICT;
        CREATE TABLE IF NOT EXISTS ledger_rounds (
            request TEXT NOT NULL PRIMARY KEY,
            round   INTEGER NOT NULL,
            identity TEXT
        ) STRICT;
        CREATE TRIGGER IF NOT EXISTS ended_rounds AFTER DELETE ON closed_ledgers BEGIN
            DELETE FROM ledger_rounds WHERE request = OLD.request;
        END;
        CREATE TABLE IF NOT EXISTS migrations (
            name    TEXT NOT NULL PRIMARY KEY,
            sql     TEXT NOT NULL,
            ordinal INTEGER NOT NULL
        ) STRICT;
        """

    /// Makes the tables, applies new migrations, and returns the store's id.
    ///
    /// All of it is one exclusive transaction: of two processes that start together, the second finds everything done.
    /// - Throws: `StoreError` with `migration`; `DatabaseError`.
    static func prepare(_ database: Database, migrations: [StoreMigration]) throws -> String {
        // SQLite does not call the busy handler while a deferred transaction is upgraded, so the lock is acquired at
        // once.
        try database.beginTransaction(.exclusive)
        do {
            try SchemaVersion.check(database, "The store", known: Self.version)
            try database.execute(sql: Self.sql + CutTable.sql)
            try Self.addColumn("at", "INTEGER", to: "closed_ledgers", database)
            for table in ["effects", "closed_ledgers"] { try Self.addColumn("identity", "TEXT", to: table, database) }
            let identifier = try Self.identifier(database)
            try Self.apply(migrations, to: database)
            try database.commit()
            return identifier
        } catch {
            try? database.rollback()
            throw error
        }
    }

    /// Adds a column that tables of earlier versions lack.
    private static func addColumn(_ name: String, _ type: String, to table: String, _ database: Database) throws {
        guard try !database.columns(in: table).contains(where: { $0.name == name }) else { return }
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(type)")
    }

    private static func identifier(_ database: Database) throws -> String {
        if let identifier = try String.fetchOne(database, sql: "SELECT identifier FROM store") { return identifier }
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let identifier = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try database.execute(sql: "INSERT INTO store (identifier) VALUES (?)", arguments: [identifier])
        return identifier
    }

    private static func apply(_ migrations: [StoreMigration], to database: Database) throws {
        var steps: [String: String] = [:]
        for migration in migrations {
            // Extensions that share tables each list the step that makes them.
            guard steps[migration.name] != migration.sql else { continue }
            guard steps.updateValue(migration.sql, forKey: migration.name) == nil else {
                throw StoreError(.migration, "Two migrations with different SQL are named \(migration.name).")
            }
            let applied = try String.fetchOne(
                database,
                sql: "SELECT sql FROM migrations WHERE name = ?",
                arguments: [migration.name]
            )
            if let applied {
                guard applied == migration.sql else {
                    throw StoreError(
                        .migration,
                        "Migration \(migration.name) was applied with other SQL: add a new step instead."
                    )
                }
                continue
            }
            try database.execute(sql: migration.sql)
            guard database.isInsideTransaction else {
                throw StoreError(.migration, "Migration \(migration.name) ends the transaction that it runs in.")
            }
            try database.execute(
                sql: "INSERT INTO migrations (name, sql, ordinal) SELECT ?, ?, count(*) FROM migrations",
                arguments: [migration.name, migration.sql]
            )
        }
    }
}
