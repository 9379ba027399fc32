internal import Foundation
internal import GRDB
internal import IntentKit

/// The effect ledger for readers: the audit.
///
/// Workers may write meanwhile; each query sees one consistent state.
package final class LedgerArchive: Sendable {
    /// A row of `effects`.
    package struct Effect: Sendable {
        /// The position of the first request.
        package var request: String
        /// The effect's name.
        package var name: String
        /// Its ordinal among those of that name.
        package var ordinal: Int
        /// The body's result: JSON in intentd's form.
        package var result: [UInt8]
        /// Its time, in milliseconds since 1970.
        package var at: Int64
    }

    private let connection: DatabaseQueue

    /// Opens a file; nil when there is none.
    /// - Throws: ``StoreError``; ``StoreBusyError``.
    package static func open(at path: String) async throws -> LedgerArchive? {
        try await StoreConnection.offload {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            do {
                return try LedgerArchive(path)
            } catch {
                throw StoreError.translating(error)
            }
        }
    }

    private init(_ path: String) throws {
        // Not opened read-only: such a connection could not roll back the half-written transaction of a killed process.
        self.connection = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(label: "intentd.store.audit", pragmas: "PRAGMA query_only = 1")
        )
        guard try self.connection.inDatabase({ try $0.tableExists("closed_ledgers") }) else {
            throw StoreError(.file, "\(path) is no store of intentd's.")
        }
    }

    /// The deployment that the store belongs to; nil when the store does not name it.
    package func deployment() async throws -> String? {
        try await self.connection.onItsQueue { database in
            guard try database.tableExists("deployment") else { return nil }
            return try String.fetchOne(database, sql: "SELECT identifier FROM deployment")
        }
    }

    /// The effects whose first request is in a partition.
    package func effects(ofPartition partition: Int) async throws -> [Effect] {
        try await self.connection.onItsQueue { database in
            let statement = try PreparedStatement(
                database,
                "SELECT request, name, ordinal, result, at FROM effects WHERE request >= ? AND request < ? ORDER BY 1, 2, 3"
            )
            defer { statement.reset() }
            // The range ends at the semicolon, the character after the colon.
            try statement.bind("\(partition):", at: 1)
            try statement.bind("\(partition);", at: 2)
            var effects: [Effect] = []
            while try statement.step() {
                let result = try JSONValue(parsing: statement.bytes(3) ?? [], maximumDepth: .max)
                effects.append(
                    Effect(
                        request: statement.text(0) ?? "",
                        name: statement.text(1) ?? "",
                        ordinal: Int(statement.integer(2) ?? 0),
                        result: result.utf8,
                        at: statement.integer(4) ?? 0
                    )
                )
            }
            return effects
        }
    }

    /// The interactions that have ended, by their own requests in a partition.
    package func closed(ofPartition partition: Int) async throws -> Set<String> {
        try await self.connection.onItsQueue { database in
            try String.fetchSet(
                database,
                sql: "SELECT request FROM closed_ledgers WHERE request >= ? AND request < ?",
                arguments: ["\(partition):", "\(partition);"]
            )
        }
    }

    /// The highest offset in a partition of `requests` with an entry; nil when there is none.
    package func lastRequest(inPartition partition: Int) async throws -> Int64? {
        try await self.connection.onItsQueue { try LedgerTables($0).lastRequest(inPartition: partition) }
    }

    /// What was removed on purpose, the oldest first.
    package func cuts() async throws -> [CutMark] {
        try await self.connection.onItsQueue { try CutTable.all($0) }
    }
}
