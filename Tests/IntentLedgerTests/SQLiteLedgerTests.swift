import Foundation
import GRDB
import IntentKit
import IntentLab
import Testing

@testable import IntentLedger

@Suite struct SQLiteLedgerTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let notes = StoreMigration("notes/1", sql: "CREATE TABLE notes (text TEXT NOT NULL) STRICT")

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("store.sqlite")
    }

    private func open(busyTimeout: Duration = .seconds(5)) async throws -> SQLiteLedger {
        try await SQLiteLedger.open(at: self.path, migrations: [self.notes], busyTimeout: busyTimeout)
    }

    @Test(arguments: LedgerConformance.Check.all)
    func passesConformanceSuite(_ check: LedgerConformance.Check) async throws {
        let path = self.path
        try await LedgerConformance { try await SQLiteLedger.open(at: path, migrations: $0) }.run(check)
    }

    private func key(_ name: String = "note", _ ordinal: Int = 0, request: String = "0:1") -> EffectKey {
        EffectKey(request: request, name: name, ordinal: ordinal)
    }

    private func notes(_ ledger: SQLiteLedger) async throws -> [String] {
        let rows = try await ledger.read { transaction in
            .array(try transaction.query("SELECT text FROM notes ORDER BY rowid", []).map { $0["text"] ?? .null })
        }
        return rows.array?.compactMap(\.string) ?? []
    }

    private static func writing(_ text: String) -> @Sendable (any StoreTransaction) throws -> JSONValue {
        { transaction in
            try transaction.execute("INSERT INTO notes VALUES (?)", [.string(text)])
            return .string(text)
        }
    }

    @Test func retriesTransactionWithoutJobThatTriggerRollsBack() async throws {
        let trigger = StoreMigration(
            "notes/2",
            sql: """
                CREATE TRIGGER guard BEFORE INSERT ON notes WHEN new.text = 'bad'
                BEGIN SELECT RAISE(ROLLBACK, 'no bad notes'); END
                """
        )
        let ledger = try await SQLiteLedger.open(at: self.path, migrations: [self.notes, trigger])
        let results = await withTaskGroup(of: (Int, Bool).self) { group in
            for caller in 0..<20 {
                let key = self.key("note", caller)
                group.addTask {
                    let body = Self.writing(caller % 5 == 3 ? "bad" : "\(caller)")
                    return (caller, (try? await ledger.perform(key, body)) != nil)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(results == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0 % 5 != 3) }))
        #expect(try await self.notes(ledger).count == 16)
    }

    @Test func undoesWhatAKilledProcessLeft() async throws {
        let ledger = try await self.open()
        _ = try await ledger.perform(self.key(), Self.writing("a"))
        // A transaction too large for the cache is in the file before it is committed. A copy of file and journal at
        // that moment is what a process leaves that is killed then.
        let dying = try DatabaseQueue(path: self.path)
        let copy = self.directory.file("copy.sqlite")
        let path = self.path
        try await dying.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = TRUNCATE; PRAGMA cache_size = 2; BEGIN;
                    INSERT INTO effects VALUES ('0:1', 'note', 1, '"half"', 0, NULL);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                    INSERT INTO notes SELECT hex(zeroblob(500)) FROM n
                    """
            )
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try FileManager.default.copyItem(atPath: path + "-journal", toPath: copy + "-journal")
            try database.execute(sql: "ROLLBACK")
        }
        let before = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int ?? 0
        #expect(before > 100_000)
        let survivor = try await SQLiteLedger.open(at: copy, migrations: [self.notes])
        #expect(survivor.identifier == ledger.identifier)
        #expect(try await survivor.perform(self.key(), Self.writing("b")) == "a")
        #expect(try await survivor.perform(self.key("note", 1), Self.writing("b")) == "b")
        #expect(try await self.notes(survivor) == ["a", "b"])
    }

    @Test func lockHeldTooLongIsTransientError() async throws {
        let ledger = try await self.open(busyTimeout: .milliseconds(20))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: self.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        await #expect(throws: StoreBusyError.self) { try await ledger.perform(self.key(), Self.writing("a")) }
        await #expect(throws: StoreBusyError.self) { try await self.notes(ledger) }
        await #expect(throws: StoreBusyError.self) { try await ledger.close(request: "0:1", unlessEffects: false) }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await ledger.perform(self.key(), Self.writing("a")) == "a")
    }

    @Test("R35: a full disk is a transient error, and the effect is made once there is room")
    func fullDiskIsTransientError() async throws {
        // As long as this connection is open, the file may not grow, as on a full disk.
        let limit = StoreMigration("limit/1", sql: "PRAGMA max_page_count = 20")
        let full = try await SQLiteLedger.open(at: self.path, migrations: [self.notes, limit])
        let long = String(repeating: "x", count: 1_000_000)
        await #expect(throws: StoreBusyError.self) { try await full.perform(self.key(), Self.writing(long)) }
        let ledger = try await self.open()
        #expect(try await ledger.perform(self.key(), Self.writing(long)) == .string(long))
        #expect(try await self.notes(ledger) == [long])
    }

    @Test func valuesRoundTrip() async throws {
        let ledger = try await self.open()
        let row = try await ledger.read { transaction in
            .object(
                try
                    transaction.query(
                        "SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, ? AS g, ? AS h",
                        [.null, true, 9_007_199_254_740_993, 0.5, "a\u{0}b", "", [1, "x"], ["k": .null]]
                    )[0]
            )
        }
        let expected: JSONValue = [
            "a": .null, "b": 1, "c": 9_007_199_254_740_993, "d": 0.5, "e": "a\u{0}b", "f": "", "g": #"[1,"x"]"#,
            "h": #"{"k":null}"#,
        ]
        #expect(row == expected)
    }

    @Test func textMatchesIgnoringCaseAccentsAndSpacing() async throws {
        let ledger = try await self.open()
        let matches = try await ledger.read { transaction in
            .array(
                try transaction.query(
                    "SELECT matching_key('Zo\u{eb} M\u{fc}ller') = matching_key('ZOE MULLER') AS m, matching_key(NULL) AS n",
                    []
                )
                .map(JSONValue.object)
            )
        }
        #expect(matches == [["m": 1, "n": .null]])
    }

    @Test(arguments: ["commit", " -- x\n/* y */ ROLLBACK", ";PRAGMA user_version = 1", "ATTACH 'x' AS x"])
    func refusesStatementsThatLeaveTheTransaction(sql: String) async throws {
        let ledger = try await self.open()
        let error = await #expect(throws: StoreError.self) {
            try await ledger.perform(self.key()) { .integer(Int64(try $0.execute(sql, []))) }
        }
        #expect(error?.code == .forbiddenStatement)
    }

    @Test func errorsNameTheStatement() async throws {
        let ledger = try await self.open()
        let cases: [(String, [JSONValue], StoreErrorCode)] = [
            ("INSERT INTO notes VALUES (?)", [], .arguments), ("INSERT INTO nowhere VALUES (1)", [], .sqlite),
            ("INSERT INTO notes VALUES (?)", [.null], .constraint), ("SELECT 1; SELECT 2", [], .sqlite),
        ]
        for (sql, arguments, code) in cases {
            let error = await #expect(throws: StoreError.self) {
                try await ledger.perform(self.key()) { .integer(Int64(try $0.execute(sql, arguments))) }
            }
            #expect(error?.code == code, "\(sql)")
        }
        let error = await #expect(throws: StoreError.self) {
            try await ledger.read { .integer(Int64(try $0.execute("DELETE FROM notes", []))) }
        }
        #expect(error?.code == .sqlite)
    }

    @Test func executeCountsChangedRows() async throws {
        let ledger = try await self.open()
        let counts = try await ledger.perform(self.key()) { transaction in
            [
                .integer(Int64(try transaction.execute("INSERT INTO notes VALUES ('a'), ('b')", []))),
                .integer(Int64(try transaction.execute("CREATE TABLE other (a INTEGER) STRICT", []))),
                .integer(Int64(try transaction.execute("DELETE FROM notes WHERE text = 'a'", []))),
                .integer(Int64(try transaction.execute("DELETE FROM notes WHERE text = 'a'", []))),
            ]
        }
        #expect(counts == [2, 0, 1, 0])
    }

    @Test func failedMigrationLeavesNothing() async throws {
        let broken = StoreMigration(
            "notes/2",
            sql: "CREATE TABLE more (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1)"
        )
        await #expect(throws: StoreError.self) {
            _ = try await SQLiteLedger.open(at: self.path, migrations: [self.notes, broken])
        }
        let repaired = StoreMigration("notes/2", sql: "CREATE TABLE more (a INTEGER) STRICT")
        _ = try await SQLiteLedger.open(at: self.path, migrations: [self.notes, repaired])
        let changed = StoreMigration("notes/1", sql: "CREATE TABLE notes (text TEXT) STRICT")
        for wrong in [[changed], [self.notes, changed]] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await SQLiteLedger.open(at: self.path, migrations: wrong)
            }
            #expect(error?.code == .migration)
        }
    }
}
