internal import Foundation
internal import GRDB
package import IntentEvents
internal import IntentKit
package import IntentRuntime

/// State in an SQLite file of the lane's own.
///
/// The file holds nothing that the topic `state` does not hold, so no write waits for the disk. Its write-ahead log
/// keeps it consistent after a process was killed: a transaction is there completely or not at all. Only a loss of
/// power can break it. So the file names the boot on which it was written, and is not used after another one, unless
/// its lane has stopped in an orderly way.
///
/// As long as it is valid for no partition, no other lane can use it, and it is written without a log: a lane without a
/// file writes everything that it restores once.
package final class SQLiteStateSpill: StateSpill {
    /// An older file is not used: a topic keeps its tombstones for a day only (`delete.retention.ms`), so an older file
    /// could hold entries whose removal would stay unknown.
    private static let longestAge = Duration.seconds(3_600)

    private let connection: DatabaseQueue
    private let path: String
    private let deployment: String

    /// Opens a file; an empty one if nothing of it can be used.
    ///
    /// - Parameters:
    ///   - path: The file; its directory must exist, and no other process may use it.
    ///   - deployment: The deployment's id; another deployment's file is not used.
    /// - Returns: The open file.
    /// - Throws: `StoreError`.
    package static func open(at path: String, deployment: String) async throws -> SQLiteStateSpill {
        try await StoreConnection.offload {
            try StoreError.translatingErrors {
                try Self.reopen(path, deployment) ?? SQLiteStateSpill(emptyAt: path, deployment)
            }
        }
    }

    /// A valid file; nil when it is missing, broken, in use, another deployment's or too old.
    private static func reopen(_ path: String, _ deployment: String) -> SQLiteStateSpill? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try? SQLiteStateSpill(usedAt: path, deployment)
    }

    private init?(usedAt path: String, _ deployment: String) throws {
        self.path = path
        self.deployment = deployment
        self.connection = try Self.connect(path)
        let isOfUse = try self.connection.inDatabase { database in
            let kept = try SpillPositions.read(database, of: deployment, noOlderThan: Self.longestAge)
            guard !kept.isEmpty else { return false }
            try SpillPositions.beginUse(database)
            try Self.dropOthers(than: Set(kept.keys), database)
            return true
        }
        guard isOfUse else { return nil }
    }

    private init(emptyAt path: String, _ deployment: String) throws {
        Self.remove(path)
        self.path = path
        self.deployment = deployment
        self.connection = try Self.connect(path)
        try self.connection.inDatabase { database in
            // A restore writes entries in the tree's order: large pages are fewer to find and to write.
            try database.execute(sql: "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF")
            try database.execute(
                sql: """
                    CREATE TABLE entries (
                        partition INTEGER NOT NULL, user TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL,
                        PRIMARY KEY (partition, user, name)
                    ) WITHOUT ROWID
                    """
            )
            try SpillPositions.create(database)
        }
    }

    private static func connect(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.state.spill",
                pragmas: """
                    PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA cache_size = -2048;
                    PRAGMA wal_autocheckpoint = 4096
                    """
            )
        )
    }

    /// Removes the partitions for which the file is not valid: a lane that is assigned one of them starts without
    /// entries.
    private static func dropOthers(than partitions: Set<Int>, _ database: Database) throws {
        var last = -1
        while let next = try Int.fetchOne(
            database,
            sql: "SELECT partition FROM entries WHERE partition > ? ORDER BY partition LIMIT 1",
            arguments: [last]
        ) {
            if !partitions.contains(next) { try Self.drop(next, database) }
            last = next
        }
    }

    private static func drop(_ partition: Int, _ database: Database) throws {
        try database.writing {
            try database.execute(sql: "DELETE FROM positions WHERE partition = ?", arguments: [partition])
            try database.execute(sql: "DELETE FROM entries WHERE partition = ?", arguments: [partition])
        }
    }

    /// The offsets up to which the file is valid.
    package func positions() async throws -> [Int: KeptPartition] {
        let deployment = self.deployment
        return try await self.connection.onItsQueue { database in
            try SpillPositions.read(database, of: deployment, noOlderThan: Self.longestAge)
        }
    }

    /// Writes entries, and the offsets up to which the file is then valid.
    package func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws {
        let deployment = self.deployment
        try await self.connection.onItsQueue { database in
            // From here on the file must stay consistent if the process is killed.
            if !positions.isEmpty { try database.execute(sql: "PRAGMA journal_mode = WAL") }
            try database.writing {
                try Self.write(entries, to: database)
                try SpillPositions.write(positions, of: deployment, age: age, to: database)
            }
        }
    }

    private static func write(_ entries: [SpilledEntry], to database: Database) throws {
        let insert = try PreparedStatement(database, "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)")
        let delete = try PreparedStatement(
            database,
            "DELETE FROM entries WHERE partition = ? AND user = ? AND name = ?"
        )
        for entry in entries {
            let statement = entry.value == nil ? delete : insert
            var (user, name) = (entry.user.text, entry.name.text)
            // SQLite reads them in place.
            try user.withUTF8 { user in
                try name.withUTF8 { name in
                    try statement.bind(Int64(entry.partition), at: 1)
                    try statement.bind(keptText: user, at: 2)
                    try statement.bind(keptText: name, at: 3)
                    guard let value = entry.value else { return try statement.run() }
                    try value.withUnsafeBufferPointer { value in
                        try statement.bind(keptBlob: value, at: 4)
                        try statement.run()
                    }
                }
            }
        }
    }

    /// The entries of users, and the named queued events.
    ///
    /// There may be thousands of queued events; the others are not even read.
    package func load(
        _ users: [UserID],
        waiting: [UserID: [StateName]],
        partition: Int
    ) async throws -> [SpilledEntry] {
        try await self.connection.onItsQueue { database in
            let others = try PreparedStatement(
                database,
                """
                SELECT name, value FROM entries WHERE partition = ?1 AND user = ?2 AND name < ?3
                UNION ALL SELECT name, value FROM entries WHERE partition = ?1 AND user = ?2 AND name >= ?4
                """
            )
            var entries: [SpilledEntry] = []
            for user in users {
                try others.bind(StateName.queue, at: 3)
                try others.bind(Self.behindQueue, at: 4)
                try Self.read(others, partition, user, into: &entries)
            }
            let one = try PreparedStatement(
                database,
                "SELECT name, value FROM entries WHERE partition = ?1 AND user = ?2 AND name = ?3"
            )
            for (user, names) in waiting {
                for name in names {
                    try one.bind(name, at: 3)
                    try Self.read(one, partition, user, into: &entries)
                }
            }
            return entries
        }
    }

    /// The name after all names of queued events, which begin with `q/`.
    private static let behindQueue = "q0"

    private static func read(
        _ select: PreparedStatement,
        _ partition: Int,
        _ user: UserID,
        into entries: inout [SpilledEntry]
    ) throws {
        try select.bind(Int64(partition), at: 1)
        try select.bind(user, at: 2)
        while try select.step() {
            let name: StateName = select.identity(0) ?? ""
            entries.append(SpilledEntry(partition: partition, user: user, name: name, value: select.bytes(1)))
        }
        select.reset()
    }

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
                let (user, name): (UserID, StateName) = (select.identity(0) ?? "", select.identity(1) ?? "")
                entries.append(SpilledEntry(partition: partition, user: user, name: name, value: select.bytes(2)))
            }
            return entries
        }
    }

    package func drop(partition: Int) async throws {
        try await self.connection.onItsQueue { database in try Self.drop(partition, database) }
    }

    /// Keeps the file, and marks it as valid once all of it is on the disk.
    package func close(keeping positions: [Int: KeptPartition]) async throws {
        try await self.store([], upTo: positions, age: .zero)
        try await self.connection.onItsQueue { database in try SpillPositions.endUse(database) }
        let connection = self.connection
        try await StoreConnection.offload { try connection.close() }
    }

    /// Closes the file as it is; a file that cannot be used again is removed.
    package func close() async {
        let isOfUse = try? await self.positions().isEmpty == false
        let (connection, path) = (self.connection, self.path)
        try? await StoreConnection.offload {
            try? connection.close()
            if isOfUse == false { Self.remove(path) }
        }
    }

    private static func remove(_ path: String) {
        for end in ["", "-wal", "-journal"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
}
