internal import GRDB
internal import IntentEvents

/// The table `passed`: the positions of partitions beyond their last record, behind invisible records.
///
/// It is separate from `offsets`, whose rows a rebuild repeats: these positions are no function of what the topics
/// hold.
enum PassedTable {
    /// Makes the table; an intentd version that does not know it ignores it.
    static let sql = """
        CREATE TABLE IF NOT EXISTS passed (
            topic     TEXT NOT NULL,
            partition INTEGER NOT NULL,
            "offset"  INTEGER NOT NULL,
            PRIMARY KEY (topic, partition)
        ) STRICT;

        """

    /// The position of a partition; nil when there is none.
    static func offset(_ topic: Topic, _ partition: Int, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT \"offset\" FROM passed WHERE topic = ? AND partition = ?",
            arguments: [topic.rawValue, partition]
        )
    }

    /// Stores the position of a partition.
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
