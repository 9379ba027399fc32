internal import Foundation
internal import GRDB
package import IntentEvents
package import IntentRuntime

/// State that is not needed now, in a SQLite file of the lane's own.
///
/// The file holds nothing that the topic `state` does not hold, so it is written without a journal and without waiting
/// for the disk, and it is only worth something when its lane has left in order: then it says of which partitions it holds
/// the state, and up to where. Whoever opens it takes that out first, so that a file in use never says so.
package final class SQLiteStateSpill: StateSpill {
    /// What was kept longer ago than this is not used: a topic keeps its tombstones for a day only (`delete.retention.ms`),
    /// and a file that is older could hold what nobody is told any more to remove.
    private static let longestAge = Duration.seconds(3_600)

    private let connection: DatabaseQueue
    private let path: String
    private let deployment: String
    /// What the last lane kept, by partition.
    package let kept: [Int: KeptPartition]

    /// Opens a file; an empty one if nothing was kept in it.
    ///
    /// - Parameters:
    ///   - path: The file; its directory must exist, and nobody else uses it.
    ///   - deployment: The deployment's id: what is another's is not used.
    /// - Returns: The open file.
    /// - Throws: ``StoreError``.
    package static func open(at path: String, deployment: String) async throws -> SQLiteStateSpill {
        try await StoreConnection.offload {
            do {
                return try Self.reopen(path, deployment) ?? SQLiteStateSpill(emptyAt: path, deployment)
            } catch {
                throw StoreError.translating(error)
            }
        }
    }

    /// A file in which something was kept; nil when it is missing, broken, in use, another deployment's or too old.
    private static func reopen(_ path: String, _ deployment: String) -> SQLiteStateSpill? {
        guard FileManager.default.fileExists(atPath: path),
            let spill = try? SQLiteStateSpill(keptAt: path, deployment), !spill.kept.isEmpty
        else { return nil }
        return spill
    }

    private init(keptAt path: String, _ deployment: String) throws {
        self.path = path
        self.deployment = deployment
        self.connection = try Self.connect(path)
        self.kept = try self.connection.inDatabase { database in
            let kept = try KeptPartitions.read(database, of: deployment, noOlderThan: Self.longestAge)
            try KeptPartitions.forget(database)
            return kept
        }
    }

    private init(emptyAt path: String, _ deployment: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        self.path = path
        self.deployment = deployment
        self.connection = try Self.connect(path)
        self.kept = [:]
        try self.connection.inDatabase { database in
            try database.execute(
                sql: """
                    CREATE TABLE entries (
                        partition INTEGER NOT NULL, user TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL,
                        PRIMARY KEY (partition, user, name)
                    ) WITHOUT ROWID
                    """
            )
            try KeptPartitions.create(database)
        }
    }

    private static func connect(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.state.spill",
                pragmas: """
                    PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA cache_size = -2048
                    """
            )
        )
    }

    /// Puts entries away.
    package func store(_ entries: [SpilledEntry]) async throws {
        try await self.connection.onItsQueue { database in
            try database.beginTransaction(.immediate)
            let insert = try PreparedStatement(database, "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)")
            let delete = try PreparedStatement(
                database,
                "DELETE FROM entries WHERE partition = ? AND user = ? AND name = ?"
            )
            for entry in entries {
                let statement = entry.value == nil ? delete : insert
                try statement.bind(Int64(entry.partition), at: 1)
                try statement.bind(entry.user, at: 2)
                try statement.bind(entry.name, at: 3)
                if let value = entry.value { try statement.bind(blob: value, at: 4) }
                try statement.run()
            }
            try database.commit()
        }
    }

    /// Takes users back.
    package func take(_ users: [UserID], partition: Int) async throws -> [SpilledEntry] {
        try await self.connection.onItsQueue { database in
            try database.beginTransaction(.immediate)
            let delete = try PreparedStatement(
                database,
                "DELETE FROM entries WHERE partition = ? AND user = ? RETURNING name, value"
            )
            var entries: [SpilledEntry] = []
            for user in users {
                try delete.bind(Int64(partition), at: 1)
                try delete.bind(user, at: 2)
                while try delete.step() {
                    entries.append(
                        SpilledEntry(
                            partition: partition,
                            user: user,
                            name: delete.identity(0) ?? "",
                            value: delete.bytes(1)
                        )
                    )
                }
                delete.reset()
            }
            try database.commit()
            return entries
        }
    }

    /// A page of what is put away of a partition.
    package func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry] {
        try await self.connection.onItsQueue { database in
            let select = try PreparedStatement(
                database,
                """
                SELECT user, name, value FROM entries WHERE partition = ? AND (user, name) > (?, ?)
                ORDER BY user, name LIMIT ?
                """
            )
            defer { select.reset() }
            try select.bind(Int64(partition), at: 1)
            try select.bind(entry?.user ?? "", at: 2)
            try select.bind(entry?.name ?? "", at: 3)
            try select.bind(Int64(limit), at: 4)
            var entries: [SpilledEntry] = []
            while try select.step() {
                entries.append(
                    SpilledEntry(
                        partition: partition,
                        user: select.identity(0) ?? "",
                        name: select.identity(1) ?? "",
                        value: select.bytes(2)
                    )
                )
            }
            return entries
        }
    }

    /// Forgets a partition.
    package func drop(partition: Int) async throws {
        try await self.connection.onItsQueue { database in
            let delete = try PreparedStatement(database, "DELETE FROM entries WHERE partition = ?")
            try delete.bind(Int64(partition), at: 1)
            try delete.run()
        }
    }

    /// Keeps the file, and says in it what it holds once all of it is on the disk.
    package func close(keeping partitions: [Int: KeptPartition]) async throws {
        let deployment = self.deployment
        try await self.connection.onItsQueue { database in
            try KeptPartitions.write(partitions, of: deployment, to: database)
        }
        let connection = self.connection
        try await StoreConnection.offload { try connection.close() }
    }

    /// Removes the file.
    package func close() async {
        let path = self.path
        let connection = self.connection
        try? await StoreConnection.offload {
            try? connection.close()
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
