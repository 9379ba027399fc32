internal import Foundation
internal import GRDB
package import IntentKit
package import SQLiteStore
internal import Synchronization

/// The effect ledger for readers: the audit.
///
/// Workers may write meanwhile; each query sees one consistent state.
package struct LedgerArchive: Sendable {
    /// A row of `effects`.
    package struct Effect: Sendable {
        /// The position of the first request.
        package var request: String
        package var name: String
        /// The effect's ordinal among those of its name.
        package var ordinal: Int
        /// The body's result: JSON in intentd's form.
        package var result: [UInt8]
        /// Its time, in milliseconds since 1970.
        package var at: Int64
    }

    private struct Row: Decodable {
        var request: String
        var name: String
        var ordinal: Int
        var result: String
        var at: Int64
    }

    private typealias Body = @Sendable (any StoreTransaction) throws -> JSONValue

    /// How many effects one query returns.
    private static let chunk = 1_000

    private let read: @Sendable (@escaping Body) async throws -> JSONValue
    private let last: @Sendable (Int) async throws -> Int64?
    /// Tables that a file of an earlier version may lack, and this store does.
    private let missing: Set<String>

    /// Reads a ledger that is open.
    package init(of ledger: any LedgerStore) {
        self.read = { try await ledger.read($0) }
        self.last = { try await ledger.lastRequest(inPartition: $0) }
        self.missing = []
    }

    /// Opens a file of SQLite's; nil when there is none.
    /// - Throws: `StoreError`; ``StoreBusyError``.
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
        let connection = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(label: "intentd.store.audit", pragmas: "PRAGMA query_only = 1")
        )
        self.missing = try connection.inDatabase { database in
            guard try database.tableExists("closed_ledgers") else {
                throw StoreError(.file, "\(path) is not a store of intentd.")
            }
            return try Set(["deployment", "cuts"].filter { try !database.tableExists($0) })
        }
        self.read = { body in
            try await connection.onItsQueue { database in
                try database.beginTransaction(.deferred)
                defer { try? database.rollback() }
                return try body(SQLiteTransaction(database))
            }
        }
        self.last = { partition in
            try await connection.onItsQueue { try LedgerTables($0).lastRequest(inPartition: partition) }
        }
    }

    /// The deployment that the store belongs to; nil when the store does not name it.
    package func deployment() async throws -> String? {
        guard !self.missing.contains("deployment") else { return nil }
        return
            try await self.read { store in
                try store.query("SELECT identifier FROM deployment", [], as: String.self).first.map(JSONValue.string)
                    ?? .null
            }
            .string
    }

    /// The effects whose first request is in a partition.
    package func effects(ofPartition partition: Int) async throws -> [Effect] {
        let found = Mutex<[Effect]>([])
        _ = try await self.read { store in
            // The range ends at the semicolon, the character after the colon.
            var cursor: [JSONValue] = [.string("\(partition):"), "", -1]
            var count = Self.chunk
            while count == Self.chunk {
                let rows = try store.query(
                    """
                    SELECT request, name, ordinal, result, at FROM effects
                    WHERE (request, name, ordinal) > ($1, $2, $3) AND request < $4
                    ORDER BY request, name, ordinal LIMIT $5
                    """,
                    cursor + [.string("\(partition);"), .integer(Int64(Self.chunk))],
                    as: Row.self
                )
                count = rows.count
                if let row = rows.last {
                    cursor = [.string(row.request), .string(row.name), .integer(Int64(row.ordinal))]
                }
                let effects = try rows.map { row in
                    Effect(
                        request: row.request,
                        name: row.name,
                        ordinal: row.ordinal,
                        result: try JSONValue(parsing: Array(row.result.utf8), maximumDepth: .max).utf8,
                        at: row.at
                    )
                }
                found.withLock { $0 += effects }
            }
            return .null
        }
        return found.withLock { $0 }
    }

    /// The interactions that have ended, by their own requests in a partition.
    package func closed(ofPartition partition: Int) async throws -> Set<String> {
        let requests = try await self.read { store in
            .array(
                try store.query(
                    "SELECT request FROM closed_ledgers WHERE request >= $1 AND request < $2",
                    [.string("\(partition):"), .string("\(partition);")],
                    as: String.self
                )
                .map(JSONValue.string)
            )
        }
        return Set((requests.array ?? []).compactMap(\.string))
    }

    /// The highest offset in a partition of `requests` with an entry; nil when there is none.
    package func lastRequest(inPartition partition: Int) async throws -> Int64? { try await self.last(partition) }

    /// What was removed on purpose, the oldest first.
    package func cuts() async throws -> [CutMark] {
        guard !self.missing.contains("cuts") else { return [] }
        let marks = Mutex<[CutMark]>([])
        _ = try await self.read { store in
            let all = try CutTable.all(store)
            marks.withLock { $0 = all }
            return .null
        }
        return marks.withLock { $0 }
    }
}

/// The location of a ledger that is read.
package enum LedgerLocation: Sendable {
    /// A file of SQLite's; there may be none.
    case file(String)
    /// A ledger that is open.
    case store(any LedgerStore)

    /// Its name, for messages.
    package var name: String {
        switch self {
        case .file(let path): path
        case .store(let store): store.place
        }
    }

    /// Opens it for reading; nil when the file does not exist.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func archive() async throws -> LedgerArchive? {
        switch self {
        case .file(let path): try await LedgerArchive.open(at: path)
        case .store(let store): LedgerArchive(of: store)
        }
    }
}
