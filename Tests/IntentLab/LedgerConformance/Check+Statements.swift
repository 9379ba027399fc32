internal import Dispatch
internal import Foundation
internal import IntentKit

extension LedgerConformance.Check {
    private typealias Suite = LedgerConformance

    private struct Note: Codable, Hashable {
        var text: String
        var weight: Double?
        var count: Int
        var isGood: Bool
    }

    private static let values = StoreMigration(
        "values/1",
        sql: "CREATE TABLE pairs (a TEXT, b REAL, c INTEGER, d INTEGER) STRICT",
        postgreSQL: "CREATE TABLE pairs (a bytea, b double precision, c bigint, d boolean)"
    )

    /// Bodies run SQL.
    static let statements: [Self] = [
        Self(name: "values come out as they went in, and rows decode into types") { suite in
            let ledger = try await suite.open([Self.values])
            let texts = ["a\u{0}b", "", "e\u{301}", "\u{1F98C}", #"\x41"#]
            _ = try await ledger.perform(Suite.key()) { store in
                for (index, text) in texts.enumerated() {
                    let count = Int64(9_007_199_254_740_993 + index)
                    try store.execute(
                        "INSERT INTO pairs (d, c, b, a) VALUES ($4, $3, $2, $1)",
                        [.string(text), index == 1 ? .null : 0.1, .integer(count), .bool(index == 2)]
                    )
                }
                try store.execute("INSERT INTO pairs (a) VALUES ($1)", [["k": [1, .null]]])
                return .null
            }
            let rows = try await ledger.read { store in
                let notes = try store.query(
                    "SELECT a AS text, b AS weight, c AS count, d AS \"isGood\" FROM pairs WHERE c IS NOT NULL ORDER BY c",
                    as: Note.self
                )
                let found = notes.map(\.text) == texts && notes.map(\.isGood) == [false, false, true, false, false]
                return [
                    .bool(found && notes.map(\.weight) == [0.1, nil, 0.1, 0.1, 0.1]), .integer(Int64(notes[4].count)),
                    .array(try store.query("SELECT a, b FROM pairs WHERE c IS NULL", []).map(JSONValue.object)),
                    .array(try store.query("SELECT c FROM pairs WHERE a = $1", ["a\u{0}b"]).map(JSONValue.object)),
                ]
            }
            let expected: JSONValue = [
                true, 9_007_199_254_740_997, [["a": #"{"k":[1,null]}"#, "b": .null]], [["c": 9_007_199_254_740_993]],
            ]
            try Suite.expect(rows, expected, "what was read")
        },
        Self(name: "a result is returned as it was, whatever it holds") { suite in
            let ledger = try await suite.opened()
            let result: JSONValue = [
                "a\u{0}b": [1, 0.1, "\u{0}", .null, true], "long": .string(String(repeating: "x", count: 99_999)),
            ]
            for body in [result, .null] {
                try Suite.expect(try await ledger.perform(Suite.key()) { _ in body }, result, "the result")
            }
        },
        Self(name: "statements that would leave the transaction are refused") { suite in
            let ledger = try await suite.opened()
            for sql in ["commit", " -- x\n/* y */ ROLLBACK", ";BEGIN", "SAVEPOINT a", "release job", "END"] {
                // Not an error of the server's, which would say nothing about the statement's place.
                let error = try await Suite.expectError(StoreError.self, sql) {
                    try await ledger.perform(Suite.key()) { .integer(Int64(try $0.execute(sql, []))) }
                }
                try Suite.expect(error.code, .forbiddenStatement, sql)
            }
            _ = try await ledger.perform(Suite.key(), Suite.writing("a"))
            try Suite.expect(try await Suite.notes(ledger), ["a"], "what was done")
        },
        Self(name: "mistakes in statements are errors, and are no reason to try again") { suite in
            let ledger = try await suite.opened()
            let cases: [(String, [JSONValue])] = [
                ("INSERT INTO notes (text) VALUES ($1)", []), ("INSERT INTO notes (text) VALUES ('a')", [1]),
                ("INSERT INTO nowhere VALUES (1)", []), ("INSERT INTO notes (text) VALUES ($1)", [.null]),
                ("INSERT INTO notes (text) VALUES ('bad')", []), ("SELECT 1; SELECT 2", []), ("SELEC 1", []),
            ]
            for (sql, arguments) in cases {
                let error = try await Suite.expectError((any Error).self, sql) {
                    try await ledger.perform(Suite.key()) { .integer(Int64(try $0.execute(sql, arguments))) }
                }
                try Suite.expect(error is any TransientError, false, "\(sql): \(error)")
            }
            try await Suite.expectError((any Error).self, "writing in a read") {
                try await ledger.read { .integer(Int64(try $0.execute("DELETE FROM notes", []))) }
            }
        },
        Self(name: "execute counts the rows that it changed") { suite in
            let ledger = try await suite.opened()
            let counts = try await ledger.perform(Suite.key()) { store in
                let statements = [
                    "INSERT INTO notes (text) VALUES ('a'), ('b')", "CREATE TABLE other (a INTEGER)",
                    "DELETE FROM notes WHERE text = 'a'", "DELETE FROM notes WHERE text = 'a'",
                    "SELECT text FROM notes",
                ]
                return .array(try statements.map { .integer(Int64(try store.execute($0, []))) })
            }
            try Suite.expect(counts, [2, 0, 1, 0, 0], "the counts")
        },
        Self(name: "a body that waits does not hold up other tasks") { suite in
            let ledger = try await suite.opened()
            let gate = DispatchSemaphore(value: 0)
            // More than there are threads for tasks.
            let held = (0..<ProcessInfo.processInfo.activeProcessorCount + 6)
                .map { index in
                    Task {
                        try await ledger.perform(Suite.key("held", index)) { _ in
                            try Suite.wait(gate, "a task on a thread that it held up")
                            return .null
                        }
                    }
                }
            // A task that gets a thread nevertheless lets them go.
            await Task { for _ in held { gate.signal() } }.value
            for task in held { _ = try await task.value }
        },
        Self(name: "more statements than a connection keeps prepared are run, and run again") { suite in
            let ledger = try await suite.opened()
            for round in 0..<2 {
                let found = try await ledger.perform(Suite.key("statements", round)) { store in
                    .array(
                        try (0..<230)
                            .map { .integer(Int64(try store.query("SELECT \($0) AS n", as: Int.self).first ?? -1)) }
                    )
                }
                try Suite.expect(found, .array((0..<230).map(JSONValue.integer)), "what was read")
            }
        },
        Self(name: "what is written outside an effect is one transaction, too") { suite in
            let ledger = try await suite.opened()
            _ = try await ledger.write(Suite.writing("a"))
            try await Suite.expectError((any Error).self, "a body that fails") {
                try await ledger.write { store in
                    _ = try Suite.writing("b")(store)
                    return try Suite.writing("bad")(store)
                }
            }
            try Suite.expect(try await Suite.notes(ledger), ["a"], "what was written")
        },
    ]

    private static func step(_ sql: String) -> StoreMigration { StoreMigration("notes/2", sql: sql, postgreSQL: sql) }

    /// Tables are made once.
    static let migrations: [Self] = [
        Self(name: "migrations are applied once, whoever comes first") { suite in
            let steps = [
                Suite.notes,
                Self.step("INSERT INTO notes (text) VALUES ('made'); INSERT INTO notes (text) VALUES ('twice')"),
            ]
            let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await suite.open(steps).identifier } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            try Suite.expect(identifiers.map(\.count), [32], "the ids' lengths")
            try Suite.expect(try await Suite.notes(suite.opened()), ["made", "twice"], "what the steps wrote")
        },
        Self(name: "a step that two extensions share is applied once") { suite in
            let made = Self.step("INSERT INTO notes (text) VALUES ('made')")
            let ledger = try await suite.open([Suite.notes, made, Suite.notes, made])
            try Suite.expect(try await Suite.notes(ledger), ["made"], "what the steps wrote")
        },
        Self(name: "a migration that fails or was changed is refused, and leaves nothing") { suite in
            let wrong = Self.step("CREATE TABLE more (a INTEGER); INSERT INTO nowhere VALUES (1)")
            try await Suite.expectError((any Error).self, wrong.sql) {
                try await suite.open([Suite.notes, wrong]).identifier
            }
            _ = try await suite.open([Suite.notes, Self.step("CREATE TABLE more (a INTEGER)")])
            let changed = StoreMigration("notes/1", sql: "SELECT 1", postgreSQL: "SELECT 1")
            for steps in [[changed], [Suite.notes, changed]] {
                try await Suite.expectError((any Error).self, "other SQL") { try await suite.open(steps).identifier }
            }
        },
    ]
}
