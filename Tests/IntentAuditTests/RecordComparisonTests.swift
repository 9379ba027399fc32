import Foundation
import GRDB
import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Testing

@Suite("Comparing records with topics")
struct RecordComparisonTests {
    private struct Table {
        var name: String
        var column: String
        /// The table that stores its rows: queries may read a view.
        var kept: String { ["events", "turns", "interactions"].contains(self.name) ? "\(self.name)_kept" : self.name }
    }

    /// Every table with a column of text, or of a number.
    private static let tables = [
        Table(name: "events", column: "value"), Table(name: "turns", column: "packed_digest"),
        Table(name: "interactions", column: "interaction_id"), Table(name: "user_activities", column: "interaction_id"),
        Table(name: "dead_letters", column: "original_offset"), Table(name: "offsets", column: "next"),
    ]

    /// A column with a change to it.
    private struct Column {
        var name: String
        var assignment: String
        var isKey: Bool
    }

    /// The columns of a table that are derived from the topics and stored, including keys.
    private static func columns(of table: String, in path: String) throws -> [Column] {
        let connection = try DatabaseQueue(path: path)
        let rows = try connection.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 AND name <> 'epoch'",
                arguments: [table]
            )
        }
        try connection.close()
        return rows.map { row in
            let (name, type): (String, String) = (row["name"], row["type"])
            let change =
                type == "INTEGER"
                ? "coalesce(\"\(name)\", 0) + 1000" : "'~' || substr(CAST(coalesce(\"\(name)\", '') AS TEXT), 2)"
            return Column(name: name, assignment: "\"\(name)\" = \(change)", isKey: row["pk"] > 0)
        }
    }

    @Test(
        "R39, R46: whichever was cut further, records or topics, exactly what both hold is compared",
        arguments: 1...4
    )
    func comparesWhatRecordsAndTopicsShare(seed: UInt64) async throws {
        let registrations = [IntentRegistration { TransferHandler() }]
        let pipeline = try await Pipeline.run(registrations, partitions: 2) { pipeline in
            for number in 1...3 {
                for recipient in ["bob", "stays", "refused"] {
                    try await pipeline.transfer("\(recipient)-\(number)", user: UserID(recipient), recipient: recipient)
                }
            }
        }
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: path, from: pipeline.log, prefix: "intents")
        var numbers = SeededNumbers(seed: seed)
        let times = try await pipeline.records(of: .journal).map(\.timestamp).sorted()
        let now = SystemRuntimeClock().now
        let database = try await RecordDatabase.open(at: path, prefix: "intents")
        _ = try await database.prune(
            before: Timestamp(milliseconds: times[times.count / 2]),
            deployment: pipeline.deployment.id,
            at: now,
            signedBy: nil
        )
        await database.close()
        let topicPartitions = Topic.allCases.filter(\.isRecorded)
            .flatMap { topic in (0..<2).map { TopicPartition(topic.name(prefix: "intents"), $0) } }
        let ends = try await pipeline.log.offsets(topicPartitions, at: .end)
        for _ in 0..<6 {
            var starts: [TopicPartition: Int64] = [:]
            for topicPartition in topicPartitions where numbers.coin() {
                starts[topicPartition] = Int64(numbers.below(Int(ends[topicPartition] ?? 0) + 1))
            }
            let log = TamperedLog(pipeline.log).beginning(at: starts)
            let found = try await RecordComparison.run(at: path, with: log, prefix: "intents")
            #expect(found.differences.isEmpty, "\(starts): \(found.differences)")
            #expect(found.rows > 0)
        }
        // The last turn is in both.
        let last = try #require(
            try await pipeline.records(of: .journal).last { $0.topicPartition.partition == 0 }
        )
        let changed = TamperedLog(pipeline.log).beginning(at: [last.topicPartition: last.offset])
            .changing(last) { $0.value = ($0.value ?? []) + [0x20] }
        let found = try await RecordComparison.run(at: path, with: changed, prefix: "intents")
        #expect(found.differences.contains { $0.location == "events journal/0/\(last.offset)" }, "\(found.differences)")
    }

    @Test(
        "R46: a changed value, a removed row, two swapped rows and a cut end are found in every table, each with its row"
    )
    func findsTamperingInEveryTable() async throws {
        let registrations = [IntentRegistration { TransferHandler() }]
        let pipeline = try await Pipeline.run(registrations, partitions: 1) { pipeline in
            for number in 1...3 {
                for recipient in ["bob", "stays", "refused"] {
                    try await pipeline.transfer("\(recipient)-\(number)", user: UserID(recipient), recipient: recipient)
                }
            }
        }
        let directory = try TemporaryDirectory()
        let original = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: original, from: pipeline.log, prefix: "intents")
        #expect(try await RecordComparison.run(at: original, with: pipeline.log, prefix: "intents").differences.isEmpty)
        func differences(_ sql: String...) async throws -> [RecordDifference] {
            let copy = directory.file("copy-\(UUID().uuidString).sqlite")
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            let connection = try DatabaseQueue(path: copy)
            try await connection.write { database in for sql in sql { try database.execute(sql: sql) } }
            try connection.close()
            return try await RecordComparison.run(at: copy, with: pipeline.log, prefix: "intents").differences
        }
        // Recorders of earlier versions did not link dead letters to interactions; links that are there are compared.
        let letters = "WHERE topic = 'dead-letters'"
        let unlinked = "UPDATE events_kept SET request = NULL \(letters)"
        #expect(try await !differences(unlinked).isEmpty)
        #expect(try await differences(unlinked, "PRAGMA user_version = 4").isEmpty)
        let linked = "UPDATE events_kept SET request = '0:99' \(letters)"
        #expect(try await !differences(linked, "PRAGMA user_version = 4").isEmpty)
        for table in Self.tables {
            // An offset can only be changed to another number.
            let row =
                "(SELECT rowid FROM \(table.kept) WHERE \(table.column) IS NOT NULL ORDER BY rowid LIMIT 1 OFFSET 1)"
            let isNumber = ["original_offset", "next"].contains(table.column)
            let change = isNumber ? "\(table.column) + 1" : "'~' || substr(\(table.column), 2)"
            let changed = try await differences(
                "UPDATE \(table.kept) SET \(table.column) = \(change) WHERE rowid = \(row)"
            )
            #expect(
                changed.contains { $0.location.hasPrefix(table.name) && $0.detail.contains(table.column) }
                    || table.name == "offsets" && changed.contains { $0.location.hasPrefix("offsets") },
                "\(table): \(changed)"
            )
            let columns = try Self.columns(of: table.kept, in: original)
            let kept = columns.filter { !$0.isKey }
            let all = try await differences(
                "UPDATE \(table.kept) SET \(kept.map(\.assignment).joined(separator: ", ")) WHERE rowid = \(row)"
            )
            for column in kept {
                let isFound = all.contains { difference in
                    difference.location.hasPrefix(table.name)
                        && (table.name == "offsets" || difference.detail.contains(column.name))
                }
                #expect(isFound, "\(table.name).\(column.name): \(all)")
            }
            for column in columns where column.isKey {
                let found = try await differences(
                    "UPDATE \(table.kept) SET \(column.assignment) WHERE rowid = \(row)"
                )
                #expect(found.contains { $0.location.hasPrefix(table.name) }, "\(table.name).\(column.name): \(found)")
            }
            let removed = try await differences("DELETE FROM \(table.kept) WHERE rowid = \(row)")
            #expect(removed.contains { $0.location.hasPrefix(table.name + " ") }, "\(table) removed: \(removed)")
            let cut = try await differences(
                "DELETE FROM \(table.kept) WHERE rowid = (SELECT max(rowid) FROM \(table.kept))"
            )
            #expect(!cut.isEmpty, "\(table) cut")
            let other =
                "(SELECT rowid FROM \(table.kept) t WHERE t.\(table.column) IS NOT NULL"
                + " AND t.\(table.column) IS NOT (SELECT \(table.column) FROM \(table.kept) WHERE rowid = \(row)) LIMIT 1)"
            let swapped = try await differences(
                "CREATE TABLE swap AS SELECT \(row) AS a, \(other) AS b",
                "UPDATE swap SET b = a WHERE b IS NULL",
                "CREATE TABLE swapped AS SELECT rowid AS id, \(table.column) AS v FROM \(table.kept)"
                    + " WHERE rowid IN (SELECT a FROM swap UNION SELECT b FROM swap)",
                "UPDATE \(table.kept) SET \(table.column) = (SELECT v FROM swapped WHERE id ="
                    + " (SELECT CASE WHEN a = \(table.kept).rowid THEN b ELSE a END FROM swap))"
                    + " WHERE rowid IN (SELECT id FROM swapped) AND (SELECT count(*) FROM swapped) = 2"
            )
            #expect(swapped.contains { $0.location.hasPrefix(table.name + " ") }, "\(table) swapped: \(swapped)")
        }
        let hidden = try await differences(
            "DROP VIEW events",
            "CREATE VIEW events AS SELECT topic, partition, \"offset\", replace(value, '200', '20') AS value FROM events_kept"
        )
        #expect(hidden.map(\.location) == ["events view"])
        #expect(try await differences("DROP VIEW turns").map(\.location) == ["turns view"])
        #expect(try await differences("UPDATE store SET prefix = 'x'").map(\.location) == ["store"])
        #expect(try await differences("DELETE FROM store").map(\.location) == ["store"])
        let added = try await differences(
            """
            INSERT INTO dead_letters SELECT partition, "offset" + 1000, timestamp, error, detail, user_id, type,
            original_topic, original_partition, original_offset, original_timestamp, exception_class, exception_message
            FROM dead_letters LIMIT 1
            """
        )
        #expect(added.contains { $0.location.hasPrefix("dead_letters 0/") && $0.detail.contains("no record for") })
    }
}
