internal import Foundation
internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import SQLiteStore
internal import Synchronization

/// The view's file: one connection writes, others read meanwhile, and none blocks its caller's thread.
///
/// It can be filled from the topics again, so a power loss may cost it, and a damaged or foreign file is replaced.
final class ViewDatabase: Sendable {
    private static let readerCount = 2

    private let deployment: Deployment
    private let dedupeWindow: Duration
    private let writer: DatabaseQueue
    private let readers: [DatabaseQueue]
    private let turn = Atomic(0)

    /// Opens a file; creates it if it is missing, and replaces one that cannot be read.
    static func open(_ path: String, _ deployment: Deployment, dedupeWindow: Duration) async throws -> ViewDatabase {
        try await StoreConnection.offload {
            do {
                return try ViewDatabase(path, deployment, dedupeWindow)
            } catch {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
                do {
                    return try ViewDatabase(path, deployment, dedupeWindow)
                } catch {
                    throw StoreError.translating(error)
                }
            }
        }
    }

    private init(_ path: String, _ deployment: Deployment, _ dedupeWindow: Duration) throws {
        self.deployment = deployment
        self.dedupeWindow = dedupeWindow
        self.writer = try DatabaseQueue(
            path: path,
            configuration: StoreConnection.configuration(
                label: "intentd.gateway.write",
                pragmas: """
                    PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                    PRAGMA wal_autocheckpoint = 2000; PRAGMA cache_size = -65536
                    """
            )
        )
        try self.writer.inDatabase { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if version == 0 {
                try ViewTables(database).create()
            } else if version != ViewTables.version {
                throw StoreError(.file, "\(path) was written by another version.")
            }
        }
        self.readers = try (0..<Self.readerCount)
            .map { _ in
                try DatabaseQueue(
                    path: path,
                    configuration: StoreConnection.configuration(
                        label: "intentd.gateway.read",
                        isReadOnly: true,
                        pragmas: "PRAGMA query_only = 1; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192"
                    )
                )
            }
    }

    // MARK: Filling it

    /// The offsets from which reading continues; none where the file was filled from other topics, and is empty now.
    func begin() async throws -> [TopicPartition: Int64] {
        try await self.transaction { [deployment] database in
            let tables = ViewTables(database)
            let identity = "\(deployment.id) \(deployment.prefix) \(deployment.partitions)"
            guard try tables.meta("deployment") == identity else {
                try tables.clear()
                try tables.setMeta("deployment", identity)
                return [:]
            }
            return try tables.offsets(deployment)
        }
    }

    /// Removes everything, so that it is filled from the topics again.
    func clear() async throws {
        try await self.transaction { try ViewTables($0).clear() }
        _ = try await self.begin()
    }

    /// Adds events, and stores the offsets after them; returns the interactions that have changed.
    func add(_ events: [ViewedEvent], _ offsets: [TopicPartition: Int64]) async throws -> Set<InteractionName> {
        try await self.transaction { [deployment, dedupeWindow] database in
            let tables = ViewTables(database)
            var batch = ViewBatch(tables, deployment, dedupeWindow: dedupeWindow)
            for event in events { try batch.add(event) }
            try batch.store()
            for (partition, next) in offsets {
                guard let topic = Topic(name: partition.topic, prefix: deployment.prefix) else { continue }
                try tables.setOffset(topic, partition.partition, next)
            }
            return batch.names
        }
    }

    /// Removes what the topics hold no event of (``ViewTables/prune(partition:requests:responses:)``).
    func prune(_ earliest: [TopicPartition: Int64]) async throws {
        for partition in 0..<self.deployment.partitions {
            guard let requests = earliest[self.deployment.topicPartition(.requests, partition)],
                let responses = earliest[self.deployment.topicPartition(.responses, partition)]
            else { continue }
            try await self.transaction {
                try ViewTables($0).prune(partition: partition, requests: requests, responses: responses)
            }
        }
    }

    // MARK: Reading

    /// The latest interaction of a name, and what was rejected; nil where there is none.
    func latest(_ name: InteractionName) async throws -> ViewedInteraction? {
        try await self.read { database in
            let tables = ViewTables(database)
            guard let request = try tables.requests(name).last, let entry = try tables.entry(request) else {
                return nil
            }
            return ViewedInteraction(entry: entry, rejection: try tables.rejection(name))
        }
    }

    /// The interaction that a request belongs to: its own, or the latest one of its name before it.
    func interaction(_ name: InteractionName, at request: RequestPosition) async throws -> ViewedInteraction? {
        try await self.read { database in
            let tables = ViewTables(database)
            guard let found = try tables.requests(name).last(where: { $0 <= request }),
                let entry = try tables.entry(found)
            else { return nil }
            return ViewedInteraction(entry: entry, rejection: try tables.rejection(name))
        }
    }

    /// The interactions of a user, the newest first.
    func interactions(
        of user: UserID,
        open: Bool?,
        before: RequestPosition?,
        limit: Int
    ) async throws -> [ViewedInteraction] {
        try await self.read { database in
            let tables = ViewTables(database)
            return try tables.entries(of: user, open: open, before: before, limit: limit)
                .map { ViewedInteraction(entry: $0, rejection: try tables.rejection($0.name)) }
        }
    }

    func close() async {
        let connections = self.readers + [self.writer]
        try? await StoreConnection.offload { for connection in connections { try connection.close() } }
    }

    // MARK: Transactions

    private func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await self.writer.onItsQueue { database in try database.writing { try body(database) } }
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let reader = self.readers[self.turn.add(1, ordering: .relaxed).newValue & (Self.readerCount - 1)]
        return try await reader.onItsQueue { database in try database.reading { try body(database) } }
    }
}

/// An interaction as the view has it.
struct ViewedInteraction: Hashable, Sendable {
    var entry: InteractionEntry
    var rejection: InteractionRejection?

    var snapshot: InteractionSnapshot { self.entry.snapshot(self.rejection) }
}
