import Foundation
import GRDB

/// The broker's SQLite file.
///
/// One connection writes, reads and makes the checkpoints, because SQLite before 3.51.3 can corrupt a write-ahead log
/// when two connections do. It lives on the broker's thread and is not `Sendable`; `open(path:_:)` is the only way in.
/// The first write of a round opens an SQLite transaction, `commit()` ends it: that is the group commit.
final class LogStore {
    let db: Database
    private var isWriting = false

    private init(_ db: Database) {
        self.db = db
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
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try db.execute(sql: "PRAGMA cache_size = -16000")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            try LogSchema.migrate(db)
            return try body(LogStore(db))
        }
    }

    /// Runs a statement, inside the round's transaction.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        if !self.isWriting {
            try self.db.beginTransaction(.immediate)
            self.isWriting = true
        }
        try self.db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Makes the round's writes durable; does nothing when there were none.
    func commit() throws {
        guard self.isWriting else { return }
        try self.db.commit()
        self.isWriting = false
    }

    /// Takes the round's writes back.
    func rollback() {
        guard self.isWriting else { return }
        self.isWriting = false
        try? self.db.rollback()
    }
}
