internal import Foundation
internal import GRDB
package import IntentRuntime

/// State that is not needed now, in a SQLite file of the lane's own.
///
/// The file holds nothing that the topic `state` does not hold, so it is written without a journal and without waiting
/// for the disk, begins empty, and is removed at the end; one that a killed process left behind is replaced.
package final class SQLiteStateSpill: StateSpill {
    private let connection: DatabaseQueue
    private let path: String

    /// Makes an empty file.
    ///
    /// - Parameter path: The file; its directory must exist, and nobody else uses it.
    /// - Returns: The open file.
    /// - Throws: ``StoreError``.
    package static func open(at path: String) async throws -> SQLiteStateSpill {
        try await StoreConnection.offload {
            do {
                return try SQLiteStateSpill(path)
            } catch {
                throw StoreError.translating(error)
            }
        }
    }

    private init(_ path: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        self.path = path
        self.connection = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.state.spill",
                pragmas: """
                    PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA cache_size = -2048
                    """
            )
        )
        try self.connection.inDatabase { database in
            try database.execute(
                sql: """
                    CREATE TABLE entries (
                        partition INTEGER NOT NULL, user TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL,
                        PRIMARY KEY (partition, user, name)
                    ) WITHOUT ROWID
                    """
            )
        }
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
    package func take(_ users: [String], partition: Int) async throws -> [SpilledEntry] {
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
                            name: delete.text(0) ?? "",
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
                        user: select.text(0) ?? "",
                        name: select.text(1) ?? "",
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
