internal import Foundation
internal import GRDB
internal import IntentEvents
internal import IntentKit
package import IntentRuntime
package import SQLiteStore

/// The record database: what the recorder writes (R39); ``RecordSchema`` documents its tables.
///
/// It has a write-ahead log, so that commands can read while the recorder writes, and is synchronised at checkpoints
/// only: the offsets are in the same file, so a power loss loses both and the records are read again. One connection
/// writes and makes all checkpoints; a lock of the operating system enforces that (ClientLibrary.md).
package final class RecordDatabase: RecordStore {
    private let prefix: String
    private let connection: DatabaseQueue
    private let lock: RecordLock?
    private let access: StoreAccess

    /// Opens a file for writing, creates it if it is missing; waits while another process has it.
    ///
    /// - Parameters:
    ///   - path: The file; its directory must exist.
    ///   - prefix: The topics' prefix.
    ///   - interval: How often a waiting recorder tries again.
    /// - Returns: The open database.
    /// - Throws: `StoreError`; ``StoreBusyError``; `CancellationError` while standing by.
    package static func open(
        at path: String,
        prefix: String,
        askingEvery interval: Duration = .milliseconds(250)
    ) async throws -> RecordDatabase {
        try await Self.open(path, prefix, lock: RecordLock.wait(for: path, interval: interval))
    }

    /// Opens a file for writing as ``open(at:prefix:askingEvery:)`` does; nil when another process has it.
    package static func openIfFree(at path: String, prefix: String) async throws -> RecordDatabase? {
        guard let lock = try RecordLock.acquire(for: path) else { return nil }
        return try await Self.open(path, prefix, lock: lock)
    }

    /// Opens a file whose lock is held.
    static func open(_ path: String, _ prefix: String, lock: RecordLock) async throws -> RecordDatabase {
        try await StoreConnection.offload {
            do {
                return try RecordDatabase(path, prefix, lock)
            } catch {
                lock.release()
                throw StoreError.translating(error)
            }
        }
    }

    private init(_ path: String, _ prefix: String, _ lock: RecordLock) throws {
        self.prefix = prefix
        self.lock = lock
        self.access = .ownQueue
        self.connection = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.records.write",
                // The cache holds what indexes need between checkpoints, which come every 32 MB; large pages, which
                // only a new file can have, waste less space and are fewer to write. Each of these figures was
                // measured.
                pragmas: """
                    PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                    PRAGMA wal_autocheckpoint = 2000; PRAGMA cache_size = -32768
                    """
            )
        )
        try self.connection.inDatabase { try RecordSchema.prepare($0, prefix: prefix) }
    }

    /// Makes an empty database in memory, which others in this process can open under the same name.
    ///
    /// It has no lock: several recorders may share it.
    package init(inMemory name: String, prefix: String, access: StoreAccess) throws {
        self.prefix = prefix
        self.lock = nil
        self.access = access
        self.connection = try DatabaseQueue(
            named: name,
            configuration: StoreConnection.configuration(label: "intentd.records.memory", pragmas: "")
        )
        try self.connection.inDatabase { try RecordSchema.prepare($0, prefix: prefix) }
    }

    /// Claims partitions; see ``RecordStore/claim(_:)``.
    package func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim {
        try await self.transaction { [prefix] database in
            var claim = RecordClaim(epochs: [:], starts: [:])
            for partition in partitions {
                let topic = try Self.topic(partition.topic, prefix: prefix)
                let (epoch, next) = try OffsetTable.claim(topic, partition.partition, database)
                claim.epochs[partition] = epoch
                claim.starts[partition] = .some(next)
                claim.passed[partition] = try PassedTable.offset(topic, partition.partition, database)
            }
            return claim
        }
    }

    /// Stores a batch; see ``RecordStore/record(_:under:)``.
    package func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64] {
        try await self.transaction { [prefix] database in
            var writer = try RecordWriter(database, prefix: prefix)
            return try writer.write(records, epochs: claim.epochs)
        }
    }

    /// Stores positions beyond the last records; see ``RecordStore/pass(_:under:)``.
    package func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError) {
        try await self.transaction { [prefix] database in
            let table = try OffsetTable(database)
            for (partition, offset) in offsets {
                let topic = try Self.topic(partition.topic, prefix: prefix)
                _ = try table.next(topic, partition.partition, epoch: claim.epochs[partition])
                try PassedTable.set(topic, partition.partition, to: offset, database)
            }
        }
    }

    /// Closes the file, with everything in the main file, and releases it to the next recorder.
    package func close() async {
        try? await StoreConnection.offload { [connection] in try connection.close() }
        self.lock?.release()
    }

    deinit {
        // The lock must not be released first: the connection still makes its last checkpoint.
        try? self.connection.close()
        self.lock?.release()
    }

    /// The recorded topic of that name.
    static func topic(_ name: TopicName, prefix: String) throws(RecordingError) -> Topic {
        guard let topic = Topic(name: name, prefix: prefix), topic.isRecorded else {
            throw RecordingError(.unknownTopic, "\(name) is not recorded: it is not a topic of \(prefix).")
        }
        return topic
    }

    /// Runs the body in a transaction of its own, between those of other callers.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(RecordingError) -> Value {
        do {
            return try await self.connection.onItsQueue(self.access) { database in
                try database.writing { try body(database) }
            }
        } catch let error as RecordingError {
            throw error
        } catch {
            throw RecordingError(.unavailable, "\(error)")
        }
    }
}
