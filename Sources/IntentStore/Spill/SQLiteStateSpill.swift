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
                    CREATE TABLE users (
                        partition INTEGER NOT NULL, user TEXT NOT NULL, entries BLOB NOT NULL,
                        PRIMARY KEY (partition, user)
                    ) WITHOUT ROWID
                    """
            )
        }
    }

    /// Puts users away.
    package func store(_ states: [SpilledState]) async throws {
        try await self.connection.onItsQueue { database in
            try database.beginTransaction(.immediate)
            let insert = try PreparedStatement(database, "INSERT OR REPLACE INTO users VALUES (?, ?, ?)")
            for state in states {
                try insert.bind(Int64(state.partition), at: 1)
                try insert.bind(state.user, at: 2)
                try insert.bind(blob: state.entries, at: 3)
                try insert.run()
            }
            try database.commit()
        }
    }

    /// Takes users back.
    package func take(_ users: [String], partition: Int) async throws -> [SpilledState] {
        try await self.connection.onItsQueue { database in
            try database.beginTransaction(.immediate)
            let delete = try PreparedStatement(
                database,
                "DELETE FROM users WHERE partition = ? AND user = ? RETURNING entries"
            )
            var states: [SpilledState] = []
            for user in users {
                try delete.bind(Int64(partition), at: 1)
                try delete.bind(user, at: 2)
                while try delete.step() {
                    states.append(SpilledState(partition: partition, user: user, entries: delete.bytes(0) ?? []))
                }
                delete.reset()
            }
            try database.commit()
            return states
        }
    }

    /// A page of the users that are put away.
    package func page(partition: Int, after user: String?, limit: Int) async throws -> [SpilledState] {
        try await self.connection.onItsQueue { database in
            let select = try PreparedStatement(
                database,
                "SELECT user, entries FROM users WHERE partition = ? AND user > ? ORDER BY user LIMIT ?"
            )
            defer { select.reset() }
            try select.bind(Int64(partition), at: 1)
            try select.bind(user ?? "", at: 2)
            try select.bind(Int64(limit), at: 3)
            var states: [SpilledState] = []
            while try select.step() {
                states.append(
                    SpilledState(partition: partition, user: select.text(0) ?? "", entries: select.bytes(1) ?? [])
                )
            }
            return states
        }
    }

    /// Forgets a partition.
    package func drop(partition: Int) async throws {
        try await self.connection.onItsQueue { database in
            let delete = try PreparedStatement(database, "DELETE FROM users WHERE partition = ?")
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
