package import GRDB
internal import IntentEvents
package import IntentKit

/// The table `cuts` of both database files, inside a transaction: what was removed on purpose, in order.
///
/// `before`: the time before which rows were removed, in milliseconds since 1970; `document`: the ``CutMark``, as JSON.
package enum CutTable {
    /// Makes the table; an intentd version that does not know it ignores it.
    package static let sql = """
        CREATE TABLE IF NOT EXISTS cuts (
            number   INTEGER NOT NULL PRIMARY KEY,
            before   INTEGER NOT NULL,
            document TEXT NOT NULL
        ) STRICT;

        """

    /// The marks, the oldest first; none in a file from before there were marks.
    package static func all(_ database: Database) throws -> [CutMark] {
        try database.tableExists("cuts") ? Self.all(SQLiteTransaction(database)) : []
    }

    /// The marks in a store, the oldest first.
    package static func all(_ store: any StoreTransaction) throws -> [CutMark] {
        try store.query("SELECT document FROM cuts ORDER BY number", [], as: String.self)
            .map { text in
                guard let mark = (try? JSONValue(parsing: text)).flatMap(CutMark.init(json:)) else {
                    throw StoreError(.damaged, "A row of cuts holds no pruning mark.")
                }
                return mark
            }
    }

    package static func add(_ mark: CutMark, _ database: Database) throws {
        try Self.add(mark, SQLiteTransaction(database))
    }

    package static func add(_ mark: CutMark, _ store: any StoreTransaction) throws {
        try store.execute(
            "INSERT INTO cuts (before, document) VALUES ($1, $2)",
            [.integer(mark.before.milliseconds), .string(mark.json.description)]
        )
    }
}
