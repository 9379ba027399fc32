internal import Foundation
package import GRDB
package import IntentEvents
internal import IntentKit
package import SQLiteStore

/// The record database for readers: `list`, `show`, the console, the audit.
///
/// It may be open while a recorder writes. It never writes and never makes a checkpoint (ClientLibrary.md). Each query
/// sees one consistent state, and none blocks the caller's thread.
package final class RecordArchive: Sendable {
    private let connection: DatabaseQueue

    /// Opens a file that exists.
    /// - Returns: The open archive.
    /// - Throws: `StoreError`, `file` when the file does not exist; ``StoreBusyError``.
    package static func open(at path: String) async throws -> RecordArchive {
        RecordArchive(try await Self.connect(to: path, label: "intentd.records.read"))
    }

    private init(_ connection: DatabaseQueue) { self.connection = connection }

    /// Opens a connection that only reads, after checking that this version can read the file.
    package static func connect(to path: String, label: String) async throws -> DatabaseQueue {
        try await StoreConnection.offload {
            guard FileManager.default.fileExists(atPath: path) else {
                throw StoreError(.file, "Record database \(path) not found: has a recorder been running?")
            }
            do {
                let connection = try DatabaseQueue(
                    path: path,
                    configuration: StoreConnection.configuration(
                        label: label,
                        isReadOnly: true,
                        pragmas: "PRAGMA query_only = 1; PRAGMA wal_autocheckpoint = 0"
                    )
                )
                try connection.inDatabase { try Self.check($0, path) }
                return connection
            } catch {
                throw StoreError.translating(error)
            }
        }
    }

    private static func check(_ database: Database, _ path: String) throws {
        try SchemaVersion.check(database, path, known: RecordSchema.version)
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard RecordSchema.readableVersions.contains(version) else {
            throw StoreError(.file, "\(path) is not a record database of this version (\(RecordSchema.version)).")
        }
        guard try !RecordMigration.isUnfinished(database) else {
            throw StoreError(.file, RecordMigration.advice(path))
        }
    }

    /// The interactions that a filter selects, the newest first.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func interactions(_ filter: InteractionFilter) async throws -> [RecordedInteraction] {
        try await self.read { try ArchiveQueries($0).interactions(filter) }
    }

    /// The interaction of that id, the latest one when an id was used again; nil when there is none.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func story(ofInteraction id: InteractionID) async throws -> InteractionStory? {
        try await self.read { database in
            let queries = ArchiveQueries(database)
            guard let interaction = try queries.latestInteraction(id) else { return nil }
            return try queries.story(of: interaction)
        }
    }

    /// The interactions of that id, the latest request first: several users may have one, and a user may use it again.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func interactions(ofID id: InteractionID) async throws -> [RecordedInteraction] {
        try await self.read { try ArchiveQueries($0).interactions(ofID: id) }
    }

    /// All records of a user, by their events or their keys, in the order in which they came; it examines every record.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func events(of user: UserID) async throws -> [RecordedEvent] {
        try await self.read { try ArchiveQueries($0).events(of: user) }
    }

    /// What was removed on purpose, the oldest first.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func cuts() async throws -> [CutMark] { try await self.read { try CutTable.all($0) } }

    /// The number of rows from before a time, by table.
    ///
    /// This is about what pruning removes, which works by ranges.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func rows(before: Timestamp) async throws -> [String: Int] {
        try await self.read { database in
            var rows: [String: Int] = [:]
            for (table, column) in [
                ("events", "timestamp"), ("turns", "at"), ("interactions", "ended_at"),
                ("user_activities", "created_at"), ("dead_letters", "timestamp"),
            ] {
                let sql = "SELECT count(*) FROM \(table) WHERE \(column) < ?"
                let count = try Int.fetchOne(database, sql: sql, arguments: [before.milliseconds]) ?? 0
                if count > 0 { rows[table] = count }
            }
            return rows
        }
    }

    /// Runs queries in one transaction, off the caller's thread.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await self.connection.onItsQueue { database in try database.reading { try body(database) } }
    }
}
