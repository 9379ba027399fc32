import GRDB
import IntentLab
import IntentRuntime

@testable import IntentRecords

/// The content of a record database, for comparison with another one.
enum RecordTables {
    /// The rows of all tables by their keys; `offsets` without the epochs, which count claims.
    static func contents(of path: String) async throws -> [String: [String]] {
        var configuration = Configuration()
        configuration.readonly = true
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        return try await connection.read { database in
            var contents: [String: [String]] = [:]
            for table in RecordSchema.tables {
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table.name) ORDER BY \(table.key)")
                // The order in which rows came is not determined by their content.
                contents[table.name] = rows.map { $0.filter { $0.0 != "rowid" }.description }
            }
            let offsets = try Row.fetchAll(database, sql: "SELECT topic, partition, next FROM offsets ORDER BY 1, 2")
            contents["offsets"] = offsets.map(\.description)
            return contents
        }
    }

    /// Writes records in batches of random sizes under one claim.
    static func write(_ records: [LogRecord], to database: RecordDatabase, seed: UInt64 = 0) async throws {
        var numbers = SeededNumbers(seed: seed)
        let claim = try await database.claim(Set(records.map(\.topicPartition)).sorted())
        var rest = records[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...60, using: &numbers))
            rest = rest.dropFirst(batch.count)
            _ = try await database.record(Array(batch), under: claim)
        }
    }
}
