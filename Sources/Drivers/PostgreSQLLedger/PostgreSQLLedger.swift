#if PostgreSQL
internal import Dispatch
internal import Foundation
public import IntentKit

/// The effect ledger and the handlers' tables in a PostgreSQL database, for any number of machines (R30, R31).
///
/// Effects run in `SERIALIZABLE` transactions with `synchronous_commit=on`; concurrent effects of a connection share one,
/// each in its own savepoint. A process has two connections that write and one that reads; libpq's calls run on the
/// connections' own queues.
package final class PostgreSQLLedger: LedgerStore {
    /// The connections of a process that write.
    private static let writerCount = 2

    /// The id made with the tables.
    package let identifier: String
    /// The database and its host.
    package let place: String

    private let writers: [PostgreSQLWriter]
    private let reader: PostgreSQLReader

    /// Connects, makes the tables if they are missing, and applies the handlers' migrations.
    ///
    /// - Parameters:
    ///   - address: libpq's URI, such as `postgresql://intentd@db.example/gym`.
    ///   - migrations: The handlers' tables, step by step, in order, each applied once to a database; nil to make and
    ///     change nothing.
    /// - Returns: The open ledger.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package static func open(at address: String, migrations: [StoreMigration]?) async throws -> PostgreSQLLedger {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "intentd.store.open")
                .async {
                    continuation.resume(
                        with: Result { try PostgreSQLLedger(address, migrations) }
                            .mapError { error in
                                (error as? PostgreSQLFailure).map { StoreBusyError($0.description) } ?? error
                            }
                    )
                }
        }
    }

    private init(_ address: String, _ migrations: [StoreMigration]?) throws {
        let connection = try PostgreSQLConnection(address, .writing)
        if let migrations {
            self.identifier = try PostgreSQLSchema.prepare(connection, migrations: migrations)
        } else if let identifier = try PostgreSQLSchema.identifier(connection) {
            self.identifier = identifier
        } else {
            throw StoreError(.file, "\(connection.location) holds no ledger of intentd.")
        }
        self.place = connection.location
        self.writers = (0..<Self.writerCount)
            .map { PostgreSQLWriter($0) { try PostgreSQLConnection(address, .writing) } }
        self.reader = PostgreSQLReader { try PostgreSQLConnection(address, .reading) }
    }

    /// Makes an effect once; see ``EffectLedger/perform(_:_:)``.
    package func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        return try await self.inGroup(of: key.origin) { connection in
            try PostgreSQLTables(connection).perform(key, at: Self.milliseconds, body)
        }
    }

    /// Closes an interaction's ledger; see ``EffectLedger/close(request:origin:identity:unlessEffects:)``.
    package func close(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool
    ) async throws -> Bool {
        try await self.inGroup(of: origin) { connection in
            .bool(
                try PostgreSQLTables(connection)
                    .close(
                        request,
                        origin: origin,
                        identity: identity,
                        unlessEffects: unlessEffects,
                        at: Self.milliseconds
                    )
            )
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
        try await self.listInGroup(of: origin) { tables in
            try tables.end(request, origin: origin, identity: identity, offering: offer, at: Self.milliseconds)
                .map(JSONValue.string)
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
        try await self.listInGroup(of: origin) { tables in
            try tables.fence(request, origin: origin, identity: identity, round: round, among: names).map(\.json)
        }
        .compactMap(MadeEffect.init(json:))
    }

    /// Undoes effects, each once; see ``EffectLedger/undo(_:_:)``.
    package func undo(
        _ keys: [EffectKey],
        _ body: @escaping @Sendable (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) async throws -> [JSONValue] {
        try Task.checkCancellation()
        return try await self.listInGroup(of: keys.first?.origin ?? "") { tables in
            try tables.undo(keys, at: Self.milliseconds, body)
        }
    }

    /// The names of the effects that were made; see ``EffectLedger/effects(origin:)``.
    package func effects(origin: String) async throws -> [String] {
        try await self.listInGroup(of: origin) { try $0.names(of: origin).map(JSONValue.string) }
            .compactMap(\.string)
    }

    /// The highest request that it knows; see ``EffectLedger/lastRequest(inPartition:)``.
    package func lastRequest(inPartition partition: Int) async throws -> Int64? {
        try await self.reader
            .read { connection in
                try PostgreSQLTables(connection).lastRequest(inPartition: partition).map(JSONValue.integer) ?? .null
            }
            .integer
    }

    /// Reads the stores in one consistent view; writing throws.
    package func read(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        return try await self.reader.read { try PostgreSQLTransaction.run(body, $0) }
    }

    /// Runs a body in a transaction that others may share; see ``LedgerStore/write(_:)``.
    package func write(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try await self.inGroup(of: "") { try PostgreSQLTransaction.run(body, $0) }
    }

    /// Runs a body as ``inGroup(of:_:)`` does, and returns its list.
    private func listInGroup(
        of origin: String,
        _ body: @escaping @Sendable (PostgreSQLTables) throws -> [JSONValue]
    ) async throws -> [JSONValue] {
        try await self.inGroup(of: origin) { .array(try body(PostgreSQLTables($0))) }.array ?? []
    }

    /// Runs the body with others on the connection that has this request's effects to itself in this process.
    private func inGroup(
        of origin: String,
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> JSONValue
    ) async throws -> JSONValue {
        let number = origin.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % self.writers.count
        return try await withCheckedThrowingContinuation { continuation in
            self.writers[number].submit(PostgreSQLWriter.Job(body: body, continuation: continuation))
        }
    }

    private static var milliseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) }
}

extension LedgerSource {
    /// PostgreSQL, at addresses such as `postgresql://intentd@db.example/gym`.
    ///
    /// libpq reads what the address does not say, the password first of all, from its environment variables, the
    /// password file or a service file.
    public static let postgreSQL = LedgerSource(scheme: "postgresql") { address, migrations in
        try await PostgreSQLLedger.open(at: address, migrations: migrations)
    }
}
#endif
