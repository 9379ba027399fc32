internal import GRDB
internal import IntentEvents

/// The table `passed`: how far partitions were read beyond their last record, over what is no record for anybody.
///
/// Beside `offsets` and not in it, whose rows a rebuild repeats: these are no function of what the topics hold.
enum PassedTable {
    /// Makes the table; an intentd that does not know it leaves it alone.
    static let sql = """
        CREATE TABLE IF NOT EXISTS passed (
            topic     TEXT NOT NULL,
            partition INTEGER NOT NULL,
            "offset"  INTEGER NOT NULL,
            PRIMARY KEY (topic, partition)
        ) STRICT;

        """

    /// How far a partition was read; nil when nobody has said.
    static func offset(_ topic: Topic, _ partition: Int, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT \"offset\" FROM passed WHERE topic = ? AND partition = ?",
            arguments: [topic.rawValue, partition]
        )
    }

    /// Notes how far a partition was read.
    static func set(_ topic: Topic, _ partition: Int, to offset: Int64, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO passed (topic, partition, "offset") VALUES (?, ?, ?)
                ON CONFLICT (topic, partition) DO UPDATE SET "offset" = max("offset", excluded."offset")
                """,
            arguments: [topic.rawValue, partition, offset]
        )
    }
}
