internal import Foundation
internal import IntentKit
internal import SQLiteStore

/// The queries that operators have saved, in a file of the data directory that terminal and console share (R90).
package struct SavedQueries: Sendable {
    /// The largest number of queries.
    package static let maximumCount = 200
    /// The largest number of characters of a name.
    package static let maximumNameLength = 80
    private static let maximumBytes = 1 << 20

    private let directory: DataDirectory

    package init(_ directory: DataDirectory) { self.directory = directory }

    /// All queries, sorted by name; none where nothing was saved.
    /// - Throws: ``OperationError`` when the file cannot be read.
    package func all() async throws -> [(name: String, query: InteractionQuery)] {
        try await StoreConnection.offload { try self.read() }
            .sorted { $0.key < $1.key }.map { (name: $0.key, query: $0.value) }
    }

    /// The query of a name.
    /// - Throws: ``OperationError``, `noInput`, when there is none.
    package func query(_ name: String) async throws -> InteractionQuery {
        let queries = try await StoreConnection.offload { try self.read() }
        guard let query = queries[name] else { throw Self.missing(name, queries) }
        return query
    }

    /// Saves a query under a name, in place of an earlier one.
    /// - Throws: ``OperationError``.
    package func save(_ query: InteractionQuery, as name: String) async throws {
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard (1...Self.maximumNameLength).contains(name.count), isPlain, !name.hasPrefix("-") else {
            throw OperationError(
                .usage,
                "the name of a query has 1 to \(Self.maximumNameLength) characters, and does not begin with -"
            )
        }
        guard !query.isEmpty else {
            throw OperationError(.usage, "the query selects nothing: give a filter or columns")
        }
        let values =
            InteractionQuery.Field.allCases.compactMap { query[$0] } + query.parameters.map { $0.key + $0.value }
        guard values.allSatisfy({ $0.utf8.count <= InteractionQuery.maximumValueBytes }) else {
            throw OperationError(
                .usage,
                "a value of a query has \(InteractionQuery.maximumValueBytes) bytes at most"
            )
        }
        try await self.change { queries in
            queries[name] = query
            guard queries.count <= Self.maximumCount else {
                throw OperationError(
                    .usage,
                    "\(Self.maximumCount) queries are saved already: remove one with `intentd queries remove NAME`"
                )
            }
        }
    }

    /// Removes a query.
    /// - Throws: ``OperationError``, `noInput`, when there is none of that name.
    package func remove(_ name: String) async throws {
        try await self.change { queries in
            guard queries.removeValue(forKey: name) != nil else { throw Self.missing(name, queries) }
        }
    }

    private static func missing(_ name: String, _ queries: [String: InteractionQuery]) -> OperationError {
        let hint = NearMiss.hint(name, among: queries.keys.sorted())
        return OperationError(.noInput, "no saved query '\(name)'\(hint); list them with `intentd queries list`")
    }

    private func change(_ body: @escaping @Sendable (inout [String: InteractionQuery]) throws -> Void) async throws {
        try await StoreConnection.offload {
            guard FileManager.default.fileExists(atPath: self.directory.path) else {
                throw OperationError(.noInput, "data directory \(self.directory.path) not found; name it with --data")
            }
            guard case .acquired(let lock) = try FileLock.acquire(self.directory.queriesLock) else {
                throw OperationError(.unavailable, "another process changes \(self.directory.queries): try again")
            }
            defer { withExtendedLifetime(lock) {} }
            var queries = try self.read()
            try body(&queries)
            let json = JSONValue.object(queries.mapValues(\.json))
            try OutputFile.write(json.description + "\n", to: self.directory.queries, isPrivate: true)
        }
    }

    private func read() throws(OperationError) -> [String: InteractionQuery] {
        let path = self.directory.queries
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let text = try InputFile.text(of: path, maximumBytes: Self.maximumBytes)
        guard let members = (try? JSONValue(parsing: Array(text.utf8)))?.object else {
            throw OperationError(.badData, "\(path): is not an object of queries by name; remove the file")
        }
        var queries: [String: InteractionQuery] = [:]
        for (name, json) in members {
            guard let query = InteractionQuery(json: json) else {
                throw OperationError(.badData, "\(path): '\(name)' is not a query of this version; remove it")
            }
            queries[name] = query
        }
        return queries
    }
}
