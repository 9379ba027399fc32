internal import GRDB
internal import IntentEvents

/// The statements that remove the beginnings of recorded partitions, inside a transaction.
enum RecordCuts {
    /// A partition of a recorded topic.
    struct Partition: Hashable, Sendable {
        /// The topic, without prefix.
        var topic: String
        var partition: Int64

        /// Its name in marks.
        var name: String { "\(self.topic)/\(self.partition)" }
        /// The tables with rows of its records.
        var tables: [String] {
            switch Topic(rawValue: self.topic) {
            case .journal: ["turns", "events"]
            case .userActivities: ["user_activities", "events"]
            case .deadLetters: ["dead_letters", "events"]
            default: ["events"]
            }
        }
    }

    /// All partitions that were ever recorded.
    static func partitions(_ database: Database) throws -> [Partition] {
        try Row.fetchAll(database, sql: "SELECT topic, partition FROM offsets ORDER BY 1, 2")
            .map { Partition(topic: $0["topic"], partition: $0["partition"]) }
    }

    /// Advances from an offset over events before a time.
    ///
    /// - Returns: The first offset to keep, as far as it was examined, and whether that is the end.
    static func advance(
        _ partition: Partition,
        from start: Int64,
        before: Timestamp,
        limit: Int,
        _ database: Database
    ) throws -> (Int64, Bool) {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT "offset", timestamp FROM events WHERE topic = ? AND partition = ? AND "offset" >= ?
                ORDER BY "offset" LIMIT ?
                """,
            arguments: [partition.topic, partition.partition, start, limit]
        )
        var reached = start
        for row in rows {
            let timestamp: Int64 = row["timestamp"]
            let offset: Int64 = row["offset"]
            guard timestamp < before.milliseconds else { return (offset, true) }
            reached = offset + 1
        }
        return (reached, rows.count < limit)
    }

    /// Removes some rows before an offset; returns how many.
    static func remove(
        from table: String,
        _ partition: Partition,
        before cut: Int64,
        limit: Int,
        _ database: Database
    ) throws -> Int {
        let topic = table == "events" ? "topic = :topic AND" : ""
        // A view's rows are stored in a table.
        let kept = RecordSchema.kept[table] ?? table
        try database.execute(
            sql: """
                DELETE FROM \(kept) WHERE rowid IN (
                    SELECT rowid FROM \(kept) WHERE \(topic) partition = :partition AND "offset" < :cut LIMIT :limit
                )
                """,
            arguments: ["topic": partition.topic, "partition": partition.partition, "cut": cut, "limit": limit]
        )
        return database.changesCount
    }

    /// Removes interactions of which nothing else is left.
    ///
    /// - Returns: The number of removed ones, and the offset to continue from; nil at the end.
    static func removeInteractions(
        _ partition: Int64,
        from start: Int64,
        before cut: Int64,
        limit: Int,
        _ database: Database
    ) throws -> (Int, Int64?) {
        let last = try Int64.fetchOne(
            database,
            sql: """
                SELECT max("offset") FROM (
                    SELECT "offset" FROM interactions_kept WHERE partition = ? AND "offset" >= ? AND "offset" < ?
                    ORDER BY "offset" LIMIT ?
                )
                """,
            arguments: [partition, start, cut, limit]
        )
        guard let last else { return (0, nil) }
        try database.execute(
            sql: """
                DELETE FROM interactions_kept WHERE partition = :partition AND "offset" BETWEEN :start AND :last
                AND NOT EXISTS (
                    SELECT 1 FROM events WHERE events.request = interactions_kept.partition || ':' || interactions_kept."offset"
                    AND events.topic <> 'journal'
                ) AND NOT EXISTS (
                    SELECT 1 FROM turns WHERE turns.request = interactions_kept.partition || ':' || interactions_kept."offset"
                )
                """,
            arguments: ["partition": partition, "start": start, "last": last]
        )
        return (database.changesCount, last + 1)
    }
}
