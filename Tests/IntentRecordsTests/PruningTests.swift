import Foundation
import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentLedger
@testable import IntentRecords
@testable import SQLiteStore

@Suite("R39: pruning removes only the oldest records of each partition")
struct PruningTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    private func open(_ path: String? = nil) async throws -> RecordDatabase {
        try await RecordDatabase.open(at: path ?? self.path, prefix: Traffic.prefix)
    }

    private func prune(
        _ database: RecordDatabase,
        before: Int64,
        chunk: Int = RecordDatabase.pruningChunk
    ) async throws -> [String: Int] {
        try await database.prune(
            before: Timestamp(milliseconds: before),
            deployment: "d",
            at: Timestamp(milliseconds: 1),
            signedBy: nil,
            chunk: chunk
        )
    }

    private func rows(_ sql: String) async throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        return try await DatabaseQueue(path: self.path, configuration: configuration)
            .read { try Row.fetchAll($0, sql: sql).map(\.description) }
    }

    @Test(arguments: 1...4)
    func keepsYoungerRowsUnchanged(seed: UInt64) async throws {
        let traffic = Traffic(seed: seed, interactions: 400)
        let times = traffic.records.map(\.timestamp).sorted()
        let before = times[times.count / 2]
        let database = try await self.open()
        try await RecordTables.write(traffic.interleaved(seed: seed), to: database)
        let all = try await RecordTables.contents(of: self.path)
        let removed = try await self.prune(database, before: before)
        #expect(removed["events"] ?? 0 > 1_000 && removed["turns"] ?? 0 > 100 && removed["interactions"] ?? 0 > 50)
        for table in ["events", "turns", "user_activities", "dead_letters"] {
            let left = try await RecordTables.contents(of: self.path)[table] ?? []
            #expect(left.count + (removed[table] ?? 0) == all[table]?.count, "\(table)")
            #expect(Set(left).isSubset(of: all[table] ?? []), "\(table)")
        }
        // Each partition has all records from its first young one on, and none before it.
        let marks = try await RecordArchive.open(at: self.path).cuts()
        #expect(marks.count == 1)
        for (partition, records) in traffic.partitions {
            let topic = try #require(Topic(name: partition.topic, prefix: Traffic.prefix)).rawValue
            let first = records.first { $0.timestamp >= before }?.offset ?? (records.last?.offset ?? 0) + 1
            #expect(
                marks.first?.offsets["\(topic)/\(partition.partition)"] ?? 0 == (first > records[0].offset ? first : 0)
            )
            let sql = "SELECT count(*) FROM events WHERE topic = '\(topic)' AND partition = \(partition.partition)"
            #expect(try await self.rows(sql) == ["[count(*):\(records.count { $0.offset >= first })]"])
        }
        // Interactions with remaining records are unchanged.
        let interactions = try await RecordTables.contents(of: self.path)["interactions"] ?? []
        #expect(Set(interactions).isSubset(of: all["interactions"] ?? []))
        let orphans = """
            SELECT * FROM interactions i WHERE NOT EXISTS (
                SELECT 1 FROM turns t WHERE t.request = i.partition || ':' || i."offset"
            ) AND NOT EXISTS (
                SELECT 1 FROM events e WHERE e.request = i.partition || ':' || i."offset"
            ) AND i."offset" < \(marks.first?.offsets["requests/0"] ?? 0) AND i.partition = 0
            """
        #expect(try await self.rows(orphans) == [])
        // The second time it finds nothing, and leaves no second mark.
        #expect(try await self.prune(database, before: before) == [:])
        #expect(try await RecordArchive.open(at: self.path).cuts() == marks)
    }

    /// What removals leave, and the marks that they set.
    private struct Model {
        let partitions: [String: [LogRecord]]
        /// The first remaining offset of each partition, once there is one.
        var cuts: [String: Int64] = [:]
        var marks = 0

        /// A removal of what is before a time; gives the offsets that its mark names, if it sets one.
        mutating func cut(before time: Int64) -> [String: Int64] {
            var moved: [String: Int64] = [:]
            for (partition, records) in self.partitions {
                let start = self.cuts[partition] ?? 0
                let rest = records.filter { $0.offset >= start }
                let end = rest.first { $0.timestamp >= time }?.offset ?? rest.last.map { $0.offset + 1 } ?? start
                if end > start { moved[partition] = end }
            }
            self.cuts.merge(moved) { $1 }
            if !moved.isEmpty { self.marks += 1 }
            return moved
        }

        /// Whether a row is left that was made of the record at `topic/partition:offset`.
        func keeps(_ row: String) -> Bool {
            let parts = row.split(separator: ":")
            return Int64(parts[1]) ?? 0 >= self.cuts[String(parts[0])] ?? 0
        }
    }

    /// The rows of each table, by the records of which they were made.
    private func rows() async throws -> [String: Set<String>] {
        func names(_ topic: String, _ table: String) async throws -> Set<String> {
            try await self.names("SELECT \(topic) || '/' || partition || ':' || \"offset\" FROM \(table)")
        }
        return [
            "events": try await names("topic", "events"), "turns": try await names("'journal'", "turns"),
            "user_activities": try await names("'user-activities'", "user_activities"),
            "dead_letters": try await names("'dead-letters'", "dead_letters"),
            "interactions": try await names("'requests'", "interactions"),
        ]
    }

    @Test(
        "What is left, and each mark, is what the model says, after any removals and interruptions, in chunks of any size",
        arguments: 1...6
    )
    func whatIsLeftIsWhatTheModelSays(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        let traffic = Traffic(seed: seed, interactions: 40, partitions: 2)
        let database = try await self.open()
        try await RecordTables.write(traffic.records, to: database, seed: seed)
        let partitions = traffic.partitions.map { partition, records in
            let topic = Topic(name: partition.topic, prefix: Traffic.prefix)?.rawValue ?? ""
            return ("\(topic)/\(partition.partition)", records)
        }
        var model = Model(partitions: Dictionary(uniqueKeysWithValues: partitions))
        let times = traffic.records.map(\.timestamp).sorted()
        for step in 0..<6 {
            let (interrupted, time) = (numbers.pick(times), numbers.pick(times))
            // A removal that was interrupted when it had set its mark: the next one completes it, whatever its time.
            if step % 2 == 1, case let moved = model.cut(before: interrupted), !moved.isEmpty {
                let epoch = Timestamp(milliseconds: 0)
                let mark = CutMark(.records, of: "d", at: epoch, before: epoch, offsets: moved, signedBy: nil)
                try await database.transaction { try CutTable.add(mark, $0) }
            }
            _ = model.cut(before: time)
            let before = try await self.rows()
            let removed = try await self.prune(database, before: time, chunk: 3 + numbers.below(20))
            let left = try await self.rows()
            let events = try await self.names("SELECT request FROM events WHERE topic <> 'journal'")
            let said = events.union(try await self.names("SELECT request FROM turns"))
            for (table, rows) in before {
                let expected = rows.filter { row in
                    model.keeps(row)
                        || table == "interactions" && said.contains(String(row.dropFirst("requests/".count)))
                }
                #expect(left[table] == expected, "step \(step), \(table)")
                #expect(removed[table] ?? 0 == rows.count - expected.count, "step \(step), \(table)")
            }
            let marks = try await RecordArchive.open(at: self.path).cuts()
            #expect(marks.count == model.marks, "step \(step)")
            #expect(CutMark.offsets(marks) == model.cuts, "step \(step)")
        }
        await database.close()
        // A file that is rebuilt from the topics with these marks has the same rows.
        let rebuilt = self.directory.file("rebuilt.sqlite")
        let other = try await self.open(rebuilt)
        try await RecordTables.write(traffic.records, to: other)
        try await other.prune(as: try await RecordArchive.open(at: self.path).cuts())
        await other.close()
        #expect(try await RecordTables.contents(of: rebuilt) == RecordTables.contents(of: self.path))
    }

    @Test(
        "An interaction is removed with the last of its events and turns, wherever each topic is cut",
        arguments: 1...4
    )
    func interactionGoesWithItsLastEvent(seed: UInt64) async throws {
        let traffic = Traffic(seed: seed, interactions: 200)
        let database = try await self.open()
        try await RecordTables.write(traffic.records, to: database, seed: seed)
        var numbers = SeededNumbers(seed: seed)
        var cuts: [String: Int64] = [:]
        for (partition, records) in traffic.partitions.sorted(by: { $0.key < $1.key }) {
            let topic = try #require(Topic(name: partition.topic, prefix: Traffic.prefix))
            // Of requests nearly all goes, so that the other topics decide.
            let share = topic == .requests ? 9...9 : 0...10
            cuts["\(topic.rawValue)/\(partition.partition)"] =
                records[(records.count - 1) * Int.random(in: share, using: &numbers) / 10].offset
        }
        let all = try await self.names("SELECT partition || ':' || \"offset\" FROM interactions")
        let (epoch, key) = (Timestamp(milliseconds: 0), nil as SigningKey?)
        try await database.prune(
            as: [CutMark(.records, of: "d", at: epoch, before: epoch, offsets: cuts, signedBy: key)]
        )
        let events = try await self.names("SELECT request FROM events WHERE topic <> 'journal'")
        let turns = try await self.names("SELECT request FROM turns")
        let expected = all.filter { name in
            let parts = name.split(separator: ":").compactMap { Int64($0) }
            return parts[1] >= cuts["requests/\(parts[0])"] ?? 0 || events.contains(name) || turns.contains(name)
        }
        // Some are there for their turns alone, some for their events alone, and some are gone.
        #expect(!turns.subtracting(events).isEmpty && !events.subtracting(turns).isEmpty && expected.count < all.count)
        #expect(try await self.names("SELECT partition || ':' || \"offset\" FROM interactions") == expected)
    }

    private func names(_ sql: String) async throws -> Set<String> {
        var configuration = Configuration()
        configuration.readonly = true
        return try await DatabaseQueue(path: self.path, configuration: configuration)
            .read { Set(try String?.fetchAll($0, sql: sql).compactMap(\.self)) }
    }

    @Test func continuesAfterInterruption() async throws {
        let traffic = Traffic(seed: 5, interactions: 200)
        let database = try await self.open()
        try await RecordTables.write(traffic.records, to: database)
        let copy = self.directory.file("copy.sqlite")
        let before = traffic.records.map(\.timestamp).sorted()[traffic.records.count / 2]
        let whole = try await self.open(copy)
        try await RecordTables.write(traffic.records, to: whole)
        _ = try await self.prune(whole, before: before)
        await whole.close()
        // Interrupted after its first transaction: the mark is there, and the rows still are.
        let marks = try await RecordArchive.open(at: copy).cuts()
        try await database.transaction { try CutTable.add(marks[0], $0) }
        let removed = try await self.prune(database, before: before)
        #expect(removed["events"] ?? 0 > 0)
        await database.close()
        #expect(try await RecordTables.contents(of: self.path) == RecordTables.contents(of: copy))
    }

    @Test func recordingContinuesMeanwhile() async throws {
        let traffic = Traffic(seed: 6, interactions: 300)
        let times = traffic.records.map(\.timestamp).sorted()
        let before = times[times.count / 3]
        let database = try await self.open()
        let old = traffic.records.filter { $0.timestamp < times[times.count / 2] }
        let new = traffic.records.filter { $0.timestamp >= times[times.count / 2] }
        try await RecordTables.write(old, to: database)
        async let removed = self.prune(database, before: before)
        try await RecordTables.write(new, to: database, seed: 1)
        #expect(try await removed["events"] ?? 0 > 0)
        _ = try await self.prune(database, before: before)
        await database.close()
        let other = self.directory.file("other.sqlite")
        let whole = try await self.open(other)
        try await RecordTables.write(traffic.records, to: whole)
        _ = try await self.prune(whole, before: before)
        await whole.close()
        let mine = try await RecordTables.contents(of: self.path)
        let theirs = try await RecordTables.contents(of: other)
        for table in ["events", "turns", "user_activities", "dead_letters", "offsets"] {
            #expect(mine[table] == theirs[table], "\(table)")
        }
    }

    @Test("A file of a version without the table of cuts gets it, and is otherwise unchanged")
    func olderFileGetsTableOfCuts() async throws {
        let traffic = Traffic(seed: 7, interactions: 20)
        let database = try await self.open()
        try await RecordTables.write(traffic.records, to: database)
        try await database.transaction { try $0.execute(sql: "DROP TABLE cuts") }
        await database.close()
        #expect(try await RecordArchive.open(at: self.path).cuts().isEmpty)
        let contents = try await RecordTables.contents(of: self.path)
        let again = try await self.open()
        #expect(try await self.prune(again, before: .max)["events"] == traffic.records.count)
        await again.close()
        #expect(contents["events"]?.count == traffic.records.count)
        #expect(try await RecordTables.contents(of: self.path)["events"] == [])
    }

    @Test("A store of a version that did not record when interactions ended can be used by both, one after the other")
    func olderAndNewerVersionsShareStore() async throws {
        let path = self.directory.file("store.sqlite")
        let old = try DatabaseQueue(path: path)
        try await old.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE closed_ledgers (request TEXT NOT NULL PRIMARY KEY) STRICT;
                    INSERT INTO closed_ledgers VALUES ('0:1');
                    """
            )
        }
        let ledger = try await SQLiteLedger.open(at: path)
        #expect(try await ledger.close(request: "0:2", unlessEffects: false))
        // In the form of an earlier intentd.
        try await old.write { try $0.execute(sql: "INSERT INTO closed_ledgers (request) VALUES ('0:3')") }
        let key = EffectKey(request: "0:3", name: "a", ordinal: 0)
        await #expect(throws: (any Error).self) { _ = try await ledger.perform(key) { _ in 1 } }
        let times = try old.read { try Row.fetchAll($0, sql: "SELECT at FROM closed_ledgers ORDER BY request") }
        #expect(times.map { ($0["at"] as Int64?) == nil } == [true, false, true])
    }
}
