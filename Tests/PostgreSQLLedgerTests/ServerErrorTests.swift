#if PostgreSQL
import IntentKit
import IntentLab
import IntentStore
import Testing

@testable import PostgreSQLLedger

@Suite(
    "R35: what the server refuses is tried again where it may pass, and only there",
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

    @Test("Each code of an error has its consequence, and a message that names the statement and the code")
    func eachCodeHasItsConsequence() throws {
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

    @Test("A statement that the server gives up because it takes too long is a busy store, and the effect can be made")
    func aStatementThatTakesTooLongIsABusyStore() async throws {
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

    @Test("A statement is prepared again when its table has changed since, and no caller notices")
    func aChangedTableIsNoticedByNobody() async throws {
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
}
#endif
