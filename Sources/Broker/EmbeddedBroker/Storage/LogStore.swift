import Foundation
import GRDB
import Logging
import NIOCore
import Telemetry

/// The broker's SQLite file, and beside it the rounds that have not been written to SQLite yet.
///
/// One connection writes, reads and makes the checkpoints, because SQLite before 3.51.3 can corrupt a write-ahead log
/// when two connections do. It is confined to the broker's thread and is not `Sendable`; `open(path:_:)` is the only
/// way to get one.
///
/// `commit()` ends a round: either all that its requests wrote is kept, or none of it. This is the group commit. A
/// small round goes to the ``RoundFile``, and to SQLite later, together with others (``relieve()``). Other rounds are
/// SQLite transactions of their own, after all pending ones: large rounds, rounds that write anything beyond what every
/// transaction writes, and rounds that must look up pending data.
final class LogStore {
    let db: Database
    /// The last chunk of each partition that has been used since the file was opened (``tail(of:)``).
    var tails: [Int64: Tail] = [:]
    /// Adds or replaces a batch.
    let saveBatch: WriteStatement
    /// Adds or changes the state of a producer.
    let saveProducer: WriteStatement
    /// Adds or changes a committed offset.
    let saveOffset: WriteStatement
    /// Adds or changes a transactional id.
    let saveTransaction: WriteStatement
    private let begin: WriteStatement
    private let end: WriteStatement
    /// The rounds that have not been written to SQLite.
    let rounds: RoundFile
    /// Whether this round is an SQLite transaction.
    private var isWriting = false
    /// The writes that have not reached SQLite, including those of this round.
    private var pending = PendingWrites()
    /// This round in the form that it will have in the file; empty if it has written nothing.
    private var round = WireWriter(ByteBuffer(), isFlexible: true)
    /// The number of the last round that was written to the file.
    private var number: Int64 = 0
    private var salt: UInt64 = 0
    /// Whether the pending writes must be read from the file.
    private var isStale = true

    private init(_ db: Database, rounds: RoundFile) throws {
        self.db = db
        self.rounds = rounds
        self.saveBatch = try WriteStatement(
            db,
            "INSERT OR REPLACE INTO batches (key, partition, last_offset, max_timestamp, bytes) VALUES (?, ?, ?, ?, ?)"
        )
        // A changed row stays in its place; a replaced row moves to the table's end, and its index entry with it.
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

    /// Opens the file, brings its schema up to date, runs the body on the calling thread, and closes the file.
    ///
    /// The body must not keep the store: SQLite does not close a file while a statement refers to it, and leaves all
    /// that is in the write-ahead log there.
    static func open<Result>(
        path: String,
        synchronous: EmbeddedBroker.Configuration.Synchronous,
        logger: Logger,
        _ body: (LogStore) throws -> Result
    ) throws -> Result {
        var configuration = GRDB.Configuration()
        configuration.label = "embedded-broker"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            // 16 MB: the broker's clients wait for a checkpoint too.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try db.execute(sql: "PRAGMA cache_size = -16000")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { Self.close(queue, path: path, logger: logger) }
        return try queue.writeWithoutTransaction { db in
            try LogSchema.migrate(db)
            let rounds = try RoundFile(path: path + ".rounds", waitsForDisk: synchronous == .full)
            let store = try LogStore(db, rounds: rounds)
            try store.start()
            let result = try body(store)
            try store.finish()
            return result
        }
    }

    private static func close(_ queue: DatabaseQueue, path: String, logger: Logger) {
        do {
            try queue.close()
        } catch {
            logger.error(
                "Embedded broker cannot close its file; copy it only together with its -wal file",
                metadata: [TelemetryKey.path: "\(path)", TelemetryKey.errorMessage: "\(error)"]
            )
        }
    }

    /// Runs a statement, inside the round's SQLite transaction.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try self.beginWriting()
        try self.db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Writes one of the things that most rounds write.
    func write(_ write: PendingWrites.Write) throws {
        if self.isWriting { return try self.execute(write) }
        try self.readRounds()
        if self.round.buffer.readableBytes == 0 {
            for _ in 0..<RoundFile.headerBytes { self.round.write(UInt8(0)) }
        }
        write.write(to: &self.round)
        self.pending.add(write)
        if self.round.buffer.readableBytes > RoundFile.maxRoundBytes { try self.beginWriting() }
    }

    /// Turns the round into an SQLite transaction, if it is not one yet, and writes all that is pending to it first.
    func beginWriting() throws {
        guard !self.isWriting else { return }
        try self.readRounds()
        try self.begin.run()
        self.isWriting = true
        self.clearRound()
        guard !self.pending.isEmpty else { return }
        try self.execute(self.pending)
        try self.recordRounds()
    }

    /// Writes all that is pending to SQLite, before something is looked up there.
    func settle() throws {
        try self.readRounds()
        if !self.pending.isEmpty { try self.beginWriting() }
    }

    /// The offset from which on a partition's batches are pending; nil when none are.
    func pendingOffset(of partition: Int64) -> Int64? { self.pending.firstOffsets[partition] }

    /// Makes the round's writes durable; does nothing when there were none.
    func commit() throws {
        if self.isWriting {
            try self.end.run()
            self.isWriting = false
            self.pending = PendingWrites()
            self.rounds.restart()
        } else if self.round.buffer.readableBytes > 0 {
            // Removed from the property; otherwise the header would be written into a copy.
            var bytes = self.round.buffer
            self.round = WireWriter(ByteBuffer(), isFlexible: true)
            try self.rounds.append(&bytes, number: self.number + 1, salt: self.salt)
            self.number += 1
            bytes.clear()
            self.round = WireWriter(bytes, isFlexible: true)
        }
    }

    /// Writes pending batches to SQLite if there are many; called after a commit, when no request waits.
    func relieve() throws {
        guard self.rounds.position >= Self.maxPendingBytes else { return }
        try self.settle()
        try self.commit()
    }

    /// Discards the round's writes.
    func rollback() {
        self.tails = [:]
        self.clearRound()
        self.pending = PendingWrites()
        self.isStale = true
        guard self.isWriting else { return }
        self.isWriting = false
        try? self.db.rollback()
    }

    /// Writes to SQLite what an earlier process has left, and marks the file as in use.
    private func start() throws {
        try self.beginWriting()
        self.salt = UInt64.random(in: .min ... .max)
        try self.recordRounds()
        try LogSchema.setVersion(LogSchema.versionInUse, self.db)
        try self.commit()
    }

    /// Writes all that is pending to SQLite, and marks the file as usable by earlier versions.
    private func finish() throws {
        try self.beginWriting()
        try LogSchema.setVersion(LogSchema.version, self.db)
        try self.commit()
        try self.rounds.clear()
    }

    /// Stores the number of the round up to which SQLite has all rounds.
    private func recordRounds() throws {
        try self.set("rounds", to: "\(self.salt) \(self.number)")
    }

    /// Reads the rounds that have not been written to SQLite, after a start and after a failure.
    private func readRounds() throws {
        guard self.isStale else { return }
        let fields = try self.setting("rounds")?.split(separator: " ") ?? []
        self.pending = PendingWrites()
        if fields.count == 2, let salt = UInt64(fields[0]), let number = Int64(fields[1]) {
            self.salt = salt
            self.number = number
            for (number, content) in try self.rounds.rounds(salt: salt, after: number) {
                var reader = WireReader(content, isFlexible: true)
                while reader.remaining > 0 { self.pending.add(try PendingWrites.Write(from: &reader)) }
                self.number = number
            }
        }
        self.isStale = false
    }

    private func clearRound() {
        self.round = WireWriter(ByteBuffer(), isFlexible: true)
    }
}
