#if PostgreSQL
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import PostgreSQLLedger

@Suite(
    "R35: only transient errors of the server are retried",
    .enabled(if: TestServer.address != nil, "INTENTD_TEST_POSTGRESQL names no server: see Tests/postgresql.sh")
)
struct ServerErrorTests {
    /// What becomes of a statement that fails with each of these codes.
    private static let consequences: [String: [String]] = [
        "the transaction runs again": ["40001", "40P01", "40003"],
        "on a new connection": ["25P03", "57P01", "57P02", "57P03", "57P05", "08006", "08003"],
        "the turn is tried again": ["55P03", "57014", "53100", "53200", "53300", "58030"],
        "StoreError.value": ["22021", "22P05"],
        "StoreError.constraint": ["23502", "23503", "23505", "23514", "23P01"],
        "StoreError.damaged": ["XX000", "XX001", "XX002"],
        "StoreError.settings": ["28000", "28P01", "3D000", "3F000", "42501"],
        "StoreError.sql": ["22012", "22P02", "42601", "42P01", "0A000", "P0001"],
    ]

    private static func consequence(of error: any Error) -> String {
        switch error {
        case let failure as PostgreSQLFailure:
            failure.kind == .conflict ? "the transaction runs again" : "on a new connection"
        case is StoreBusyError: "the turn is tried again"
        case let error as StoreError: "StoreError.\(error.code)"
        default: "\(error)"
        }
    }

    @Test("Each error code has its consequence, and a message with the statement and the code")
    func eachErrorCodeHasItsConsequence() throws {
        let address = try #require(TestServer.address)
        for (consequence, codes) in Self.consequences {
            for code in codes {
                let connection = try PostgreSQLConnection(address, .reading)
                let sql = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(code)', MESSAGE = 'of a ' || 'test'; END $$"
                let error = try #require(throws: (any Error).self) { try connection.script(sql) }
                #expect(Self.consequence(of: error) == consequence, "\(code)")
                #expect(connection.isLost == (consequence == "on a new connection"), "\(code)")
                #expect("\(error)".contains("[\(code)]") && "\(error)".contains("RAISE EXCEPTION"), "\(error)")
                // A message about a value may hold it.
                #expect("\(error)".contains("of a test") == !code.hasPrefix("22"), "\(error)")
            }
        }
    }

    @Test("A statement that the server cancels because it takes too long is a busy store, and the effect can be made")
    func statementTimeoutIsBusyStore() async throws {
        let ledger = try await PostgreSQLLedger.open(at: try TestServer.makeSchema(), migrations: [])
        let key = EffectKey(request: "0:0", name: "slow", ordinal: 0)
        await #expect(throws: StoreBusyError.self) {
            try await ledger.perform(key) { store in
                try store.execute("SELECT set_config('statement_timeout', '10ms', true)", [])
                return .integer(Int64(try store.execute("SELECT pg_sleep(60)", [])))
            }
        }
        #expect(try await ledger.perform(key) { _ in "made" } == "made")
    }

    @Test("A statement is prepared again after its table has changed, and no caller notices")
    func preparesAgainAfterTableChange() async throws {
        let address = try TestServer.makeSchema()
        let notes = StoreMigration("notes/1", sql: "", postgreSQL: "CREATE TABLE notes (text bytea)")
        let ledger = try await PostgreSQLLedger.open(at: address, migrations: [notes])
        for (ordinal, columns) in [["text"], ["text", "weight"]].enumerated() {
            let found = try await ledger.perform(EffectKey(request: "0:0", name: "look", ordinal: ordinal)) { store in
                try store.execute("INSERT INTO notes (text) VALUES ($1)", ["a"])
                return .array(try store.query("SELECT * FROM notes", [])[0].keys.map(JSONValue.string))
            }
            #expect(Set((found.array ?? []).compactMap(\.string)) == Set(columns))
            try TestServer.run("ALTER TABLE notes ADD COLUMN IF NOT EXISTS weight bigint", on: address)
        }
    }

    @Test("A body that catches the error of a statement does not hide it: the effect fails with it, or is made again")
    func aCaughtErrorIsNotForgotten() async throws {
        let ledger = try await PostgreSQLLedger.open(at: try TestServer.makeSchema(), migrations: [])
        func makes(_ name: String, _ sql: @escaping @Sendable (_ run: Int) -> String) async throws -> JSONValue {
            let runs = Mutex(0)
            return try await ledger.perform(EffectKey(request: "0:0", name: name, ordinal: 0)) { store in
                let run = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                _ = try? store.execute(sql(run), [])
                return .integer(Int64(run))
            }
        }
        // Another transaction came between, and the connection broke.
        for code in ["40001", "57P01"] {
            let made = try await makes(code) {
                "DO $$ BEGIN IF \($0) = 1 THEN RAISE EXCEPTION USING ERRCODE = '\(code)'; END IF; END $$"
            }
            #expect(made == 2, "\(code)")
        }
        let error = await #expect(throws: StoreError.self) { try await makes("wrong") { _ in "SELECT * FROM nowhere" } }
        #expect(error?.message.contains("nowhere") == true, "\(error?.message ?? "")")
    }

    @Test("A transaction that others were faster than twice keeps them out the third time")
    func aTransactionThatLosesTwiceRunsAlone() async throws {
        let address = try TestServer.makeSchema()
        let counter = StoreMigration(
            "counter/1",
            sql: "",
            postgreSQL: "CREATE TABLE counter (number bigint); INSERT INTO counter VALUES (0)"
        )
        let ledger = try await PostgreSQLLedger.open(at: address, migrations: [counter])
        let before = try await ledger.perform(EffectKey(request: "0:0", name: "count", ordinal: 0)) { store in
            let before = try store.query("SELECT number FROM counter", as: Int.self)[0]
            // Another machine's transaction, which takes the lock of all that write, and does not wait for it.
            let other = try PostgreSQLConnection(address, .writing)
            _ = try? other.script(
                """
                BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE store IN ROW SHARE MODE NOWAIT;
                UPDATE counter SET number = number + 10; COMMIT
                """
            )
            try store.execute("UPDATE counter SET number = number + 1", [])
            return .integer(Int64(before))
        }
        #expect(before == 20)
        #expect(try TestServer.value("SELECT number FROM counter", on: address) == 21)
    }

    @Test("A connection that broke since the last read is replaced, and no reader notices")
    func aBrokenConnectionIsReplacedForReaders() async throws {
        let address = try TestServer.makeSchema()
        let ledger = try await PostgreSQLLedger.open(at: address, migrations: [])
        func session() async throws -> Int64 {
            try await ledger.read { .integer(Int64(try $0.query("SELECT pg_backend_pid()", as: Int.self)[0])) }
                .integer ?? 0
        }
        let first = try await session()
        #expect(try TestServer.value("SELECT pg_terminate_backend(\(first), 60000) AS ended", on: address) == 1)
        let second = try await session()
        #expect(second != first)
        #expect(try await session() == second)
    }
}
#endif
