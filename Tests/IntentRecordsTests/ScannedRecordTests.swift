import Foundation
import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("Rows made from bytes equal those made from trees")
struct ScannedRecordTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    @Test("Arbitrary records have the same rows as before", arguments: 1...8)
    func arbitraryRecordsHaveSameRows(seed: UInt64) async throws {
        var strange = StrangeRecords(seed: seed)
        let records = strange.make(2_500)
        let (before, now) = (self.directory.file("before.sqlite"), self.directory.file("now.sqlite"))
        try VersionOneFile.write(records, to: before, hasTimesOfNow: true)
        let database = try await RecordDatabase.open(at: now, prefix: Traffic.prefix)
        try await RecordTables.write(records, to: database, seed: seed)
        await database.close()
        try Self.expectSameColumns(before, now)
    }

    @Test("Usual records have the same rows as before, and none of their headers is stored twice")
    func usualRecordsKeepNoHeadersTwice() async throws {
        let seed: UInt64 = 11
        let records = Traffic(seed: seed, interactions: 60, junk: false).records
        let (before, now) = (self.directory.file("before.sqlite"), self.directory.file("now.sqlite"))
        try VersionOneFile.write(records, to: before, hasTimesOfNow: true)
        let database = try await RecordDatabase.open(at: now, prefix: Traffic.prefix)
        try await RecordTables.write(records, to: database, seed: seed)
        await database.close()
        try Self.expectSameColumns(before, now)
        let whole = try await DatabaseQueue(path: now)
            .read {
                try Int.fetchOne(
                    $0,
                    sql: "SELECT count(*) FROM events_kept WHERE packed_headers IS NOT NULL OR packed_key IS NOT NULL"
                )
            }
        #expect(whole == 0)
    }

    /// Compares every column that a file of version 1 had.
    static func expectSameColumns(_ before: String, _ now: String) throws {
        let connection = try DatabaseQueue(path: now)
        try connection.inDatabase { database in
            try database.execute(sql: "ATTACH DATABASE ? AS before", arguments: [before])
            for table in RecordSchema.tables.map(\.name) + ["offsets"] {
                let columns = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM pragma_table_xinfo('\(table)', 'before')
                        WHERE name <> 'epoch' AND name <> 'duration'
                        """
                )
                // The view of interactions leaves out refused requests, and says which are queued.
                let own = table == "interactions" ? "interactions_kept" : table
                func name(_ schema: String) -> String { schema == "main" ? "main.\(own)" : "before.\(table)" }
                let list = columns.map { "typeof(\"\($0)\"), CAST(\"\($0)\" AS BLOB)" }.joined(separator: ", ")
                let counts = ["main", "before"]
                    .map { "(SELECT count(*) FROM \(name($0)))" }
                    .joined(separator: " = ")
                #expect(try Bool.fetchOne(database, sql: "SELECT \(counts)") == true, "\(table)")
                for (one, other) in [("main", "before"), ("before", "main")] {
                    let rows = try Row.fetchAll(
                        database,
                        sql: """
                            SELECT \(list) FROM \(name(one)) EXCEPT SELECT \(list) FROM \(name(other)) LIMIT 3
                            """
                    )
                    #expect(rows.isEmpty, "\(one).\(table): \(rows.map { Self.text($0) })")
                }
            }
        }
        try connection.close()
    }

    private static func text(_ row: Row) -> String {
        row.map { _, value in Data.fromDatabaseValue(value).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)" }
            .joined(separator: " | ")
    }
}
