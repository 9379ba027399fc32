import GRDB

/// The tables of the broker's file.
enum LogSchema {
    /// The schema's number, kept in `user_version`.
    static let version = 1
    /// The value of `user_version` while a broker uses the file, and after a crash: the file of rounds may then exist
    /// beside it, which earlier versions do not know.
    static let versionInUse = 2

    /// Creates the tables in a new file, and the missing ones in a file of an earlier version; refuses a file that a
    /// later version has written.
    static func migrate(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found <= self.versionInUse else {
            throw BrokerError(
                code: .storage,
                message: "the broker's file has schema \(found), this version supports up to \(self.versionInUse)"
            )
        }
        try db.inTransaction(.immediate) {
            if found == 0 {
                try db.execute(sql: self.tables)
                try self.setVersion(self.version, db)
            }
            try db.execute(sql: self.times)
            if try db.indexes(on: "batches").contains(where: { $0.name == "batches_by_time" }) {
                try db.execute(sql: self.timesFromIndex)
            }
            return .commit
        }
    }

    /// Writes the schema's number.
    static func setVersion(_ version: Int, _ db: Database) throws {
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Where the batches of a time are (`LogStore+Times.swift`).
    ///
    /// The previous version does not need the table: it has an index of its own, and also finds batches without it. The
    /// trigger handles a partition that the previous version drops, because the partition's row may be used again.
    private static let times = """
        CREATE TABLE IF NOT EXISTS batch_times (chunk INTEGER PRIMARY KEY, max_timestamp INTEGER NOT NULL) STRICT;
        CREATE TRIGGER IF NOT EXISTS drop_batch_times AFTER DELETE ON partitions BEGIN
            DELETE FROM batch_times WHERE chunk >= OLD.id << \(BatchKey.partitionChunkBits)
                AND chunk < (OLD.id + 1) << \(BatchKey.partitionChunkBits);
        END;
        """

    /// Fills the table from the index and drops the index, which costs every append one more page.
    private static let timesFromIndex = """
        INSERT OR REPLACE INTO batch_times (chunk, max_timestamp)
            SELECT key >> \(BatchKey.chunkBits), max(max_timestamp) FROM batches GROUP BY key >> \(BatchKey.chunkBits);
        DROP INDEX batches_by_time;
        """

    private static let tables = """
        CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        CREATE TABLE topics (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
            id_high INTEGER NOT NULL, id_low INTEGER NOT NULL) STRICT;
        CREATE TABLE topic_settings (topic INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (topic, name)) STRICT;
        CREATE TABLE partitions (id INTEGER PRIMARY KEY AUTOINCREMENT, topic INTEGER NOT NULL,
            number INTEGER NOT NULL, start_offset INTEGER NOT NULL, end_offset INTEGER NOT NULL,
            UNIQUE (topic, number)) STRICT;
        CREATE TABLE batches (key INTEGER PRIMARY KEY, partition INTEGER NOT NULL, last_offset INTEGER NOT NULL,
            max_timestamp INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
        CREATE TABLE producers (partition INTEGER NOT NULL, producer INTEGER NOT NULL, epoch INTEGER NOT NULL,
            open_since INTEGER, last_used INTEGER NOT NULL, batches BLOB NOT NULL,
            PRIMARY KEY (partition, producer)) STRICT;
        CREATE TABLE aborted (partition INTEGER NOT NULL, last_offset INTEGER NOT NULL, producer INTEGER NOT NULL,
            first_offset INTEGER NOT NULL, PRIMARY KEY (partition, last_offset)) STRICT;
        CREATE TABLE transactions (name TEXT PRIMARY KEY, state BLOB NOT NULL) STRICT;
        CREATE TABLE groups (name TEXT PRIMARY KEY, state BLOB NOT NULL) STRICT;
        CREATE TABLE group_offsets (group_name TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL,
            offset INTEGER NOT NULL, leader_epoch INTEGER NOT NULL, metadata TEXT, committed_at INTEGER NOT NULL,
            PRIMARY KEY (group_name, topic, partition)) STRICT;
        """
}
