internal import Foundation
internal import GRDB
package import IntentKit
internal import SQLiteStore

/// The effect ledger and the handlers' tables in one SQLite file, for one machine (R30, R31).
///
/// Several processes may have the file open. It has a rollback journal (`journal_mode=TRUNCATE`) because SQLite 3.40
/// can corrupt a write-ahead log that two connections write to (ClientLibrary.md), and `synchronous=FULL`, since a
/// reported effect must survive a power loss. Each process writes through one connection; concurrent effects share a
/// transaction, and so an fsync, each in its own savepoint. Reads use a second connection, which cannot write.
package final class SQLiteLedger: LedgerStore {
    /// The id made with the file.
    package let identifier: String
    /// The file.
    package let place: String

    private let effects: GroupedJobs<GroupCommit.Job>
    private let reader: DatabaseQueue

    /// Opens the file, makes it if it is missing, and applies the handlers' migrations.
    ///
    /// - Parameters:
    ///   - path: The file; its directory must exist.
    ///   - migrations: The handlers' tables, step by step, in order; each is applied once to a file.
    ///   - busyTimeout: How long to wait for a lock of another process.
    /// - Returns: The open ledger.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package static func open(
        at path: String,
        migrations: [StoreMigration] = [],
        busyTimeout: Duration = .seconds(5)
    ) async throws -> SQLiteLedger {
        try await StoreConnection.offload {
            try StoreError.translatingErrors { try SQLiteLedger(path, migrations, busyTimeout) }
        }
    }

    /// Makes a ledger in memory, for tests.
    ///
    /// It has one connection, so that a read waits for earlier effects.
    /// - Parameter migrations: The handlers' tables, step by step, in order.
    /// - Throws: `StoreError`.
    package init(inMemoryWith migrations: [StoreMigration]) throws {
        do {
            let connection = try DatabaseQueue(
                configuration: StoreConnection.configuration(label: "intentd.store.memory", pragmas: "")
            )
            self.identifier = try connection.inDatabase { try LedgerSchema.prepare($0, migrations: migrations) }
            self.place = ":memory:"
            self.effects = GroupedJobs(connection, run: GroupCommit.run)
            self.reader = connection
        } catch {
            throw StoreError.translating(error)
        }
    }

    private init(_ path: String, _ migrations: [StoreMigration], _ busyTimeout: Duration) throws {
        let writer = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.store.write",
                busyTimeout: busyTimeout,
                pragmas: "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL"
            )
        )
        self.identifier = try writer.inDatabase { try LedgerSchema.prepare($0, migrations: migrations) }
        // Not opened read-only: such a connection could not roll back the half-written transaction of a killed process.
        let reader = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.store.read",
                busyTimeout: busyTimeout,
                pragmas: ""
            )
        )
        self.place = path
        self.effects = GroupedJobs(writer, run: GroupCommit.run)
        self.reader = reader
    }

    /// Makes an effect once; see ``EffectLedger/perform(_:_:)``.
    ///
    /// A recorded result is returned even if the ledger was closed since: the effect has happened, and the repeated
    /// turn must come to the same end. Only a new effect is refused.
    package func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        return try await self.inGroup { database in
            let ledger = LedgerTables(database)
            if let recorded = try ledger.result(of: key) { return recorded }
            try ledger.checkOpen(for: key)
            let result = try body(SQLiteTransaction(database))
            try ledger.record(result, of: key, at: Self.milliseconds)
            return result
        }
    }

    /// Closes an interaction's ledger; see ``EffectLedger/close(request:origin:identity:unlessEffects:)``.
    package func close(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool
    ) async throws -> Bool {
        try await self.inGroup { database in
            let ledger = LedgerTables(database)
            // A turn that has ended closes its ledger before it is committed: a closed ledger does not mean that
            // nothing was done.
            if unlessEffects, try ledger.hasEffects(origin) { return false }
            try ledger.close(request, identity, at: Self.milliseconds)
            return true
        } == true
    }

    /// Closes an interaction's ledger, and returns what it holds; see ``EffectLedger/end(request:origin:identity:)``.
    package func end(request: String, origin: String, identity: RequestIdentity?) async throws -> [String] {
        try await self.end(request, origin, identity, offering: nil)
    }

    /// Ends an interaction that may be undone; see ``EffectLedger/end(request:origin:identity:offering:)``.
    package func end(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        offering offer: UndoOffer
    ) async throws -> [String] {
        try await self.end(request, origin, identity, offering: offer)
    }

    private func end(
        _ request: String,
        _ origin: String,
        _ identity: RequestIdentity?,
        offering offer: UndoOffer?
    ) async throws -> [String] {
        try await self.listInGroup { database in
            let ledger = LedgerTables(database)
            try ledger.close(request, identity, at: Self.milliseconds)
            if let offer { try ledger.offer(offer, of: request, origin: origin, at: Self.milliseconds) }
            return try ledger.names(of: origin).map(JSONValue.string)
        }
        .compactMap(\.string)
    }

    /// Begins a round; see ``EffectLedger/fence(request:origin:identity:round:among:)``.
    package func fence(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        round: Int,
        among names: Set<String>?
    ) async throws -> [MadeEffect] {
        try await self.listInGroup { database in
            let ledger = LedgerTables(database)
            if try ledger.isClosed(request, identity) {
                throw LedgerClosedError(EffectKey(request: request, origin: origin, name: "", ordinal: 0, round: round))
            }
            let effects = try ledger.effects(of: origin)
            let current = try ledger.round(of: request, identity)
            if current < round, effects.allSatisfy({ names?.contains($0.name) ?? true }) {
                try ledger.begin(round: round, of: request, identity)
            }
            return effects.map(\.json)
        }
        .compactMap(MadeEffect.init(json:))
    }

    /// Undoes effects, each once; see ``EffectLedger/undo(_:_:)``.
    package func undo(
        _ keys: [EffectKey],
        _ body: @escaping @Sendable (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) async throws -> [JSONValue] {
        try Task.checkCancellation()
        return try await self.listInGroup { database in
            let ledger = LedgerTables(database)
            return try keys.map { key in
                if let undone = try ledger.undoneResult(of: key) { return undone }
                try ledger.checkOpen(for: key)
                guard let result = try ledger.result(of: key) else { throw NoEffectError(key) }
                let undone = try body(key, result, SQLiteTransaction(database))
                try ledger.move(key, undone: undone, at: Self.milliseconds)
                try ledger.withdrawOffers(of: key)
                return undone
            }
        }
    }

    /// The names of the effects that were made; see ``EffectLedger/effects(origin:)``.
    package func effects(origin: String) async throws -> [String] {
        try await self.listInGroup { try LedgerTables($0).names(of: origin).map(JSONValue.string) }
            .compactMap(\.string)
    }

    /// The highest request that it knows; see ``EffectLedger/lastRequest(inPartition:)``.
    package func lastRequest(inPartition partition: Int) async throws -> Int64? {
        try await self.reader.onItsQueue { try LedgerTables($0).lastRequest(inPartition: partition) }
    }

    /// Reads the stores in one consistent view; writing throws.
    package func read(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        return try await self.reader.onItsQueue { database in
            try database.readOnly { try database.reading { try body(SQLiteTransaction(database)) } }
        }
    }

    private static var milliseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) }

    /// Runs a body in a transaction that others may share; see ``LedgerStore/write(_:)``.
    package func write(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try await self.inGroup { try body(SQLiteTransaction($0)) }
    }

    /// Runs a body as ``inGroup(_:)`` does, and returns its list.
    private func listInGroup(_ body: @escaping @Sendable (Database) throws -> [JSONValue]) async throws -> [JSONValue] {
        try await self.inGroup { .array(try body($0)) }.array ?? []
    }

    /// Runs the body in a savepoint of a transaction that others may share, and waits until that is on disk.
    private func inGroup(_ body: @escaping @Sendable (Database) throws -> JSONValue) async throws -> JSONValue {
        try await withCheckedThrowingContinuation { continuation in
            self.effects.submit(GroupCommit.Job(body: body, continuation: continuation))
        }
    }
}
