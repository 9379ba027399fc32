import Foundation
import GRDB

/// The broker's SQLite file.
///
/// One connection writes, reads and makes the checkpoints, because SQLite before 3.51.3 can corrupt a write-ahead log
/// when two connections do. It lives on the broker's thread and is not `Sendable`; `open(path:_:)` is the only way in.
/// The first write of a round opens an SQLite transaction, `commit()` ends it: that is the group commit.
final class LogStore {
    let db: Database
    /// The last chunk of each partition that has been looked at since the file was opened (``tail(of:)``).
    var tails: [Int64: Tail] = [:]
    /// Adds or replaces a batch.
    let saveBatch: WriteStatement
    /// Adds or changes what is remembered of a producer.
    let saveProducer: WriteStatement
    /// Adds or changes a committed offset.
    let saveOffset: WriteStatement
    /// Adds or changes a transactional id.
    let saveTransaction: WriteStatement
    private let begin: WriteStatement
    private let end: WriteStatement
    private var isWriting = false

    private init(_ db: Database) throws {
        self.db = db
        self.saveBatch = try WriteStatement(
            db,
            "INSERT OR REPLACE INTO batches (key, partition, last_offset, max_timestamp, bytes) VALUES (?, ?, ?, ?, ?)"
        )
        // A row that is changed stays where it is; one that is replaced moves to the table's end, and its index with it.
        self.saveProducer = try WriteStatement(
            db,
            """
            INSERT INTO producers (partition, producer, epoch, open_since, last_used, batches) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (partition, producer) DO UPDATE SET epoch = excluded.epoch, open_since = excluded.open_since,
            last_used = excluded.last_used, batches = excluded.batches
            """
        )
        self.saveOffset = try WriteStatement(
            db,
            """
            INSERT INTO group_offsets (group_name, topic, partition, offset, leader_epoch, metadata, committed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (group_name, topic, partition) DO UPDATE SET offset = excluded.offset,
            leader_epoch = excluded.leader_epoch, metadata = excluded.metadata, committed_at = excluded.committed_at
            """
        )
        self.saveTransaction = try WriteStatement(
            db,
            "INSERT INTO transactions (name, state) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state"
        )
        self.begin = try WriteStatement(db, "BEGIN IMMEDIATE")
        self.end = try WriteStatement(db, "COMMIT")
    }

    /// Opens the file, brings its schema up to date and runs the body on the calling thread.
    static func open<Result>(
        path: String,
        synchronous: EmbeddedBroker.Configuration.Synchronous,
        _ body: (LogStore) throws -> Result
    ) throws -> Result {
        var configuration = GRDB.Configuration()
        configuration.label = "embedded-broker"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            // 64 MB: pages that are written again and again, the ends of the partitions, go into the file once.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 16000")
            try db.execute(sql: "PRAGMA cache_size = -16000")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            try LogSchema.migrate(db)
            return try body(try LogStore(db))
        }
    }

    /// Runs a statement, inside the round's transaction.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try self.beginWriting()
        try self.db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Opens the round's transaction, if it is not open; before every write.
    func beginWriting() throws {
        guard !self.isWriting else { return }
        try self.begin.run()
        self.isWriting = true
    }

    /// Makes the round's writes durable; does nothing when there were none.
    func commit() throws {
        guard self.isWriting else { return }
        try self.end.run()
        self.isWriting = false
    }

    /// Takes the round's writes back.
    func rollback() {
        self.tails = [:]
        guard self.isWriting else { return }
        self.isWriting = false
        try? self.db.rollback()
    }
}
