import Foundation
import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentRecords

@Suite("Files of older versions are migrated in place")
struct RecordMigrationTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    /// Every column of every row, as queried and as stored.
    private static func contents(of path: String) async throws -> [String: [String]] {
        var configuration = Configuration()
        configuration.readonly = true
        return try await DatabaseQueue(path: path, configuration: configuration)
            .read { database in
                var contents: [String: [String]] = [:]
                let kept = RecordSchema.tables.compactMap { name, key in RecordSchema.kept[name].map { ($0, key) } }
                for (table, key) in RecordSchema.tables + kept + [("offsets", "topic, partition"), ("store", "prefix")]
                {
                    let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_xinfo('\(table)')")
                    let columns = names.filter { $0 != "epoch" && $0 != "rowid" }.map { "quote(\"\($0)\")" }
                    contents[table] =
                        try Row.fetchAll(
                            database,
                            sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(key)"
                        )
                        .map(\.description)
                }
                contents["schema"] = try String.fetchAll(
                    database,
                    sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql"
                )
                return contents
            }
    }

    private func records(_ seed: UInt64, interactions: Int = 300) -> [LogRecord] {
        var strange = StrangeRecords(seed: seed)
        let usual = Traffic(seed: seed, interactions: interactions).records
        let odd = strange.make(300)
            .map { record in
                // Different from the usual ones, so that both can be in one file.
                var record = record
                record.topicPartition.partition += 10
                return record
            }
        return usual + odd
    }

    @Test(
        "A migrated file's rows are those that a new recording of the topics would make, and recording continues",
        arguments: 1...3
    )
    func migratedRowsEqualNewFile(seed: UInt64) async throws {
        let records = self.records(seed)
        let last = Dictionary(records.map { ($0.topicPartition, $0.offset) }) { max($0, $1) }
        let head = records.filter { $0.offset * 3 < (last[$0.topicPartition] ?? 0) * 2 }
        #expect(head.count < records.count && head.count > 1_000)
        try VersionOneFile.write(head, to: self.path)
        let migrated = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(records, to: migrated, seed: seed)
        await migrated.close()
        let fresh = self.directory.file("fresh.sqlite")
        let database = try await RecordDatabase.open(at: fresh, prefix: Traffic.prefix)
        try await RecordTables.write(records, to: database, seed: seed + 1)
        await database.close()
        let (mine, theirs) = (try await Self.contents(of: self.path), try await Self.contents(of: fresh))
        for (table, rows) in theirs { #expect(mine[table] == rows, "\(table)") }
        let check = try await DatabaseQueue(path: self.path)
            .read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(check == "ok")
    }

    @Test(
        "A file of version 2, too, has the rows of a new file, recording continues, and a killed migration is finished"
    )
    func migratesVersionTwo() async throws {
        let records = self.records(7)
        let last = Dictionary(records.map { ($0.topicPartition, $0.offset) }) { max($0, $1) }
        let head = records.filter { $0.offset * 3 < (last[$0.topicPartition] ?? 0) * 2 }
        let fresh = self.directory.file("fresh.sqlite")
        let database = try await RecordDatabase.open(at: fresh, prefix: Traffic.prefix)
        try await RecordTables.write(records, to: database, seed: 1)
        await database.close()
        let expected = try await Self.contents(of: fresh)
        let before = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(head, to: before, seed: 2)
        await before.close()
        try VersionTwoFile.make(at: self.path)
        for isUnfinished in [false, true] {
            let copy = self.directory.file("copy-\(isUnfinished).sqlite")
            try FileManager.default.copyItem(atPath: self.path, toPath: copy)
            // A reader finds the same as before, or is told to wait.
            if isUnfinished {
                try VersionTwoFile.leaveUnfinished(at: copy)
                await #expect(throws: StoreError.self) { _ = try await RecordArchive.open(at: copy) }
            } else {
                #expect(try await !RecordArchive.open(at: copy).interactions(.init()).isEmpty)
            }
            let migrated = try await RecordDatabase.open(at: copy, prefix: Traffic.prefix)
            try await RecordTables.write(records, to: migrated, seed: 3)
            await migrated.close()
            let mine = try await Self.contents(of: copy)
            for (table, rows) in expected { #expect(mine[table] == rows, "\(table), \(isUnfinished)") }
            let check = try await DatabaseQueue(path: copy)
                .read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
        }
    }

    @Test("R84: dead letters of version 3 name the interaction that ended with them, as those of a new file do")
    func migratesVersionThree() async throws {
        let topic = TopicPartition(Topic.deadLetters.name(prefix: Traffic.prefix), 40)
        func letter(_ offset: Int64, _ headers: [(String, String)]) -> LogRecord {
            LogRecord(
                topicPartition: topic,
                offset: offset,
                timestamp: 1_000 + offset,
                key: Array("u".utf8),
                value: Array("{}".utf8),
                headers: headers.map { LogHeader($0, $1) }
            )
        }
        let event = [
            ("ce_specversion", "1.0"), ("ce_id", "e"), ("ce_source", "c"), ("ce_type", "prompt.answered"),
            ("ce_time", "2026-11-21T12:00:00.000Z"), ("ce_userid", "u"),
        ]
        let own = [("intentd_error", "handlerFailed"), ("intentd_interaction", "i"), ("intentd_request", "2:7")]
        let letters = [
            letter(0, event + own), letter(1, event + [("ce_request", "9:9"), ("intentd_request", "8:8")]),
            // A client's own claims come before what the stage has written.
            letter(2, event + [("intentd_request", "8:8")] + own),
            letter(3, event + own + [("content-type", "application/json")]),
        ]
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(letters + self.records(3, interactions: 20), to: database, seed: 1)
        await database.close()
        let expected = try await Self.contents(of: self.path)
        let requests = "SELECT request FROM events WHERE topic = 'dead-letters' AND partition = 40 ORDER BY \"offset\""
        let found = try await DatabaseQueue(path: self.path).read { try String?.fetchAll($0, sql: requests) }
        #expect(found == ["2:7", "9:9", "2:7", "2:7"])
        let connection = try DatabaseQueue(path: self.path)
        try await connection.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    UPDATE events_kept SET request = NULL WHERE topic = 'dead-letters' AND request = '2:7'
                    """
            )
        }
        try connection.close()
        try VersionFourFile.make(at: self.path, version: 3)
        await (try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)).close()
        #expect(try await Self.contents(of: self.path) == expected)
    }

    @Test("R80: a file of version 4 gets the requests that wait and the times at which requests were written")
    func migratesVersionFour() async throws {
        let records = self.records(5, interactions: 60)
        // The last requests have no turn yet.
        let turns = records.filter { $0.topicPartition.topic == Topic.journal.name(prefix: Traffic.prefix) }
        let newest = turns.map(\.timestamp).sorted()[turns.count * 9 / 10]
        let early = records.filter {
            $0.timestamp < newest || $0.topicPartition.topic == Topic.requests.name(prefix: Traffic.prefix)
        }
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(early, to: database, seed: 1)
        await database.close()
        let expected = try await Self.contents(of: self.path)
        let queued = "SELECT count(*) FROM interactions WHERE status = 'queued'"
        #expect(try await DatabaseQueue(path: self.path).read { try Int.fetchOne($0, sql: queued) } ?? 0 > 3)
        try VersionFourFile.make(at: self.path)
        await (try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)).close()
        let found = try await Self.contents(of: self.path)
        for (table, rows) in expected { #expect(found[table] == rows, "\(table)") }
    }

    @Test("A migration of version 2 that is killed between two steps continues after the last one")
    func versionTwoMigrationContinuesAfterEachStep() async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(self.records(4, interactions: 60), to: database, seed: 1)
        await database.close()
        let expected = try await Self.contents(of: self.path)
        try VersionTwoFile.make(at: self.path)
        let connection = try DatabaseQueue(path: self.path)
        try connection.inDatabase { try RecordMigration.begin($0, prefix: Traffic.prefix) }
        var (steps, isMore) = (0, true)
        while isMore {
            #expect(try connection.inDatabase(RecordMigration.isUnfinished))
            let copy = self.directory.file("copy-\(steps).sqlite")
            try FileManager.default.copyItem(atPath: self.path, toPath: copy)
            await (try await RecordDatabase.open(at: copy, prefix: Traffic.prefix)).close()
            #expect(try await Self.contents(of: copy) == expected, "step \(steps)")
            isMore = try connection.inDatabase { database in
                try RecordMigration.step(database, rows: 100) && RecordMigration.isUnfinished(database)
            }
            steps += 1
        }
        try connection.close()
        #expect(steps > 2)
        #expect(try await Self.contents(of: self.path) == expected)
    }

    @Test("A migration that is killed between two steps continues after the last one; nobody reads a part of it")
    func migrationContinuesAfterEachStep() async throws {
        let records = self.records(9, interactions: 60)
        try VersionOneFile.write(records, to: self.path)
        let whole = self.directory.file("whole.sqlite")
        try FileManager.default.copyItem(atPath: self.path, toPath: whole)
        await (try await RecordDatabase.open(at: whole, prefix: Traffic.prefix)).close()
        let expected = try await Self.contents(of: whole)
        var (steps, isMore) = (0, true)
        while isMore {
            // File and log without the checkpoint that closing makes: what a killed process leaves.
            let copy = self.directory.file("copy-\(steps).sqlite")
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: self.path + suffix) {
                try FileManager.default.copyItem(atPath: self.path + suffix, toPath: copy + suffix)
            }
            let isUnfinished = try DatabaseQueue(path: copy).inDatabase(RecordMigration.isUnfinished)
            #expect(isUnfinished || steps == 0 || steps > 4)
            if isUnfinished {
                let error = await #expect(throws: StoreError.self) { _ = try await RecordArchive.open(at: copy) }
                #expect(error?.code == .file && error?.message.contains("being migrated") ?? false)
            }
            await (try await RecordDatabase.open(at: copy, prefix: Traffic.prefix)).close()
            #expect(try await Self.contents(of: copy) == expected, "step \(steps)")
            let connection = try DatabaseQueue(path: self.path)
            isMore = try connection.inDatabase { database in
                if steps == 0 {
                    try database.execute(sql: "PRAGMA journal_mode = WAL")
                    try RecordMigration.begin(database, prefix: Traffic.prefix)
                    return true
                }
                return try RecordMigration.step(database, rows: 250)
            }
            try connection.close()
            steps += 1
        }
        #expect(steps > 5)
        #expect(try await Self.contents(of: self.path) == expected)
        _ = try await RecordArchive.open(at: self.path)
    }

    @Test("A migrated file does not grow with its rows")
    func migrationDoesNotGrowFile() async throws {
        let traffic = Traffic(seed: 3, interactions: 1_500, junk: false)
        try VersionOneFile.write(traffic.records, to: self.path)
        func size(_ path: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
        let before = try size(self.path)
        await (try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)).close()
        // What one step frees and allocates at once, and no more.
        #expect(try size(self.path) < before + before / 4)
    }

    @Test("A file of other topics is left unchanged; readers read version 1 without migrating it")
    func refusesOtherTopicsAndReadsVersionOne() async throws {
        try VersionOneFile.write(Traffic(seed: 2, interactions: 5).records, to: self.path)
        let before = try Data(contentsOf: URL(filePath: self.path))
        let other = await #expect(throws: StoreError.self) {
            _ = try await RecordDatabase.open(at: self.path, prefix: "others")
        }
        #expect(other?.code == .file)
        // A reader finds the same as before.
        let interactions = try await RecordArchive.open(at: self.path).interactions(.init())
        #expect(interactions.count >= 5)
        let version = try await DatabaseQueue(path: self.path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == 1)
        #expect(try Data(contentsOf: URL(filePath: self.path)).count == before.count)
    }
}
