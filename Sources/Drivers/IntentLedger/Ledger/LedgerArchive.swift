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

    /// A row of `undone_effects`.
    package struct UndoneEffect: Sendable {
        /// The effect as it was; its time is that at which it was made.
        package var effect: Effect
        /// The request of the interaction that undid it, and that one's round.
        package var undoneBy: String
        package var round: Int
        /// The undo's result: JSON in intentd's form.
        package var undoResult: [UInt8]
        /// When it was undone, in milliseconds since 1970.
        package var undoneAt: Int64
    }

    private struct Row: Decodable {
        var request: String
        var name: String
        var ordinal: Int
        var result: String
        var at: Int64

        func effect() throws -> Effect {
            Effect(
                request: self.request,
                name: self.name,
                ordinal: self.ordinal,
                result: try LedgerArchive.text(self.result),
                at: self.at
            )
        }
    }

    private struct UndoneRow: Decodable {
        var request: String
        var name: String
        var ordinal: Int
        var undone_by: String
        var round: Int
        var result: String
        var undo_result: String
        var made_at: Int64
        var undone_at: Int64

        func effect() throws -> UndoneEffect {
            let row = Row(
                request: self.request,
                name: self.name,
                ordinal: self.ordinal,
                result: self.result,
                at: self.made_at
            )
            return UndoneEffect(
                effect: try row.effect(),
                undoneBy: self.undone_by,
                round: self.round,
                undoResult: try LedgerArchive.text(self.undo_result),
                undoneAt: self.undone_at
            )
        }
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
            return try StoreError.translatingErrors { try LedgerArchive(path) }
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
            return try Set(["deployment", "cuts", "undone_effects"].filter { try !database.tableExists($0) })
        }
        self.read = { body in
            try await connection.onItsQueue { database in try database.reading { try body(SQLiteTransaction(database)) }
            }
        }
        self.last = { partition in
            try await connection.onItsQueue { try LedgerTables($0).lastRequest(inPartition: partition) }
        }
    }

    /// The deployment that the store belongs to; nil when the store does not name it.
    package func deployment() async throws -> String? {
        guard !self.missing.contains("deployment") else { return nil }
        return try await self.list { try $0.query("SELECT identifier FROM deployment", [], as: String.self) }.first
    }

    /// The effects whose first request is in a partition.
    package func effects(ofPartition partition: Int) async throws -> [Effect] {
        try await self.list { store in
            var effects: [Effect] = []
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
                effects += try rows.map { try $0.effect() }
            }
            return effects
        }
    }

    /// The undone effects whose first request is in a partition, in the order in which they were undone.
    package func undone(ofPartition partition: Int) async throws -> [UndoneEffect] {
        guard !self.missing.contains("undone_effects") else { return [] }
        return try await self.list { store in
            try store.query(
                """
                SELECT request, name, ordinal, undone_by, round, result, undo_result, made_at, undone_at
                FROM undone_effects WHERE request >= $1 AND request < $2 ORDER BY undone_at, request, name, ordinal
                """,
                [.string("\(partition):"), .string("\(partition);")],
                as: UndoneRow.self
            )
            .map { try $0.effect() }
        }
    }

    /// A stored result in intentd's own form: a database may have added spaces to it.
    private static func text(_ stored: String) throws -> [UInt8] {
        try JSONValue(parsing: Array(stored.utf8), maximumDepth: .max).utf8
    }

    /// The interactions that have ended, by their own requests in a partition.
    package func closed(ofPartition partition: Int) async throws -> Set<String> {
        Set(
            try await self.list { store in
                try store.query(
                    "SELECT request FROM closed_ledgers WHERE request >= $1 AND request < $2",
                    [.string("\(partition):"), .string("\(partition);")],
                    as: String.self
                )
            }
        )
    }

    /// The highest offset in a partition of `requests` with an entry; nil when there is none.
    package func lastRequest(inPartition partition: Int) async throws -> Int64? { try await self.last(partition) }

    /// What was removed on purpose, the oldest first.
    package func cuts() async throws -> [CutMark] {
        guard !self.missing.contains("cuts") else { return [] }
        return try await self.list { try CutTable.all($0) }
    }

    /// Reads a list in one consistent view.
    private func list<Element: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> [Element]
    ) async throws -> [Element] {
        let found = Mutex<[Element]>([])
        _ = try await self.read { store in
            let list = try body(store)
            found.withLock { $0 = list }
            return .null
        }
        return found.withLock { $0 }
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
