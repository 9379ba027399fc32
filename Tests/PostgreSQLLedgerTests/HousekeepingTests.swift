#if PostgreSQL
import InMemoryLog
import IntentEvents
import IntentKit
import IntentLedger
import IntentRuntime
import Testing

@testable import PostgreSQLLedger

@Suite(
    "R31, R46: commands work on PostgreSQL as on SQLite",
    .enabled(if: TestServer.address != nil, "INTENTD_TEST_POSTGRESQL names no server: see Tests/postgresql.sh")
)
struct HousekeepingTests {
    private static let note = StoreMigration("notes/1", sql: "", postgreSQL: "CREATE TABLE notes (text bytea)")

    private func deployment(_ prefix: String = "intents", on log: InMemoryLog) async throws -> Deployment {
        try await Deployment.create(TopicPlan(prefix: prefix, partitions: 1), on: log).deployment
    }

    @Test("A store belongs to one deployment; another one gets an error with both, a remedy, and no password")
    func storeBelongsToOneDeployment() async throws {
        let address = try TestServer.makeSchema()
        let log = InMemoryLog()
        let (first, second) = (try await self.deployment(on: log), try await self.deployment("other", on: log))
        for _ in 0..<2 { try await PostgreSQLLedger.open(at: address, migrations: []).join(first, on: log) }
        let ledger = try await PostgreSQLLedger.open(at: address, migrations: [])
        let error = await #expect(throws: DeploymentError.self) { try await ledger.join(second, on: log) }
        for part in [first.id, second.id, ledger.place, "intents.*", "away"] {
            #expect(error?.description.contains(part) == true, "\(part): \(error?.description ?? "")")
        }
        #expect(!ledger.place.contains("passfile"))
    }

    @Test("Trial writes leave nothing, also by several at once; a held lock is reported")
    func trialsLeaveNothingAndReportLock() async throws {
        let address = try TestServer.makeSchema()
        let ledger = try await PostgreSQLLedger.open(at: address, migrations: [])
        let others = [ledger, try await PostgreSQLLedger.open(at: address, migrations: nil)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { try await others[number % 2].tryWriting() } }
            try await group.waitForAll()
        }
        #expect(try TestServer.value("SELECT count(*) FROM deployment", on: address) == 0)
        let holder = try PostgreSQLConnection(address, .reading)
        try holder.script("BEGIN; LOCK TABLE deployment IN SHARE MODE")
        let error = await #expect(throws: StoreBusyError.self) { try await ledger.tryWriting() }
        #expect(error?.message.contains("lock timeout") == true)
        try holder.script("ROLLBACK")
        try await ledger.tryWriting()
    }

    @Test("Of two deployments that start on one new store at once, one gets it")
    func oneOfTwoDeploymentsGetsNewStore() async throws {
        let address = try TestServer.makeSchema()
        let log = InMemoryLog()
        let deployments = [try await self.deployment("a", on: log), try await self.deployment("b", on: log)]
        let joined = await withTaskGroup(of: Bool.self) { group in
            for deployment in deployments {
                group.addTask {
                    do {
                        try await PostgreSQLLedger.open(at: address, migrations: []).join(deployment, on: log)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(joined == 1)
    }

    @Test("A reader creates nothing, and reads what exists")
    func readersCreateNothing() async throws {
        let address = try TestServer.makeSchema()
        await #expect(throws: StoreError.self) { try await PostgreSQLLedger.open(at: address, migrations: nil) }
        let ledger = try await PostgreSQLLedger.open(at: address, migrations: [Self.note])
        _ = try await ledger.perform(EffectKey(request: "7:1", name: "pay\u{0}", ordinal: 0)) { _ in 1 }
        let looking = try await PostgreSQLLedger.open(at: address, migrations: nil)
        let archive = try #require(try await LedgerLocation.store(looking).archive())
        #expect(try await archive.effects(ofPartition: 7).map(\.name) == ["pay\u{0}"])
        #expect(try await archive.deployment() == nil)
    }

    @Test("Handlers whose tables have no SQL for PostgreSQL are refused, and so are tables of a newer version")
    func refusesTablesWithoutSQLAndNewerOnes() async throws {
        let address = try TestServer.makeSchema()
        let foreign = StoreMigration("messages/1", sql: "CREATE TABLE messages (a TEXT) STRICT")
        let error = await #expect(throws: StoreError.self) {
            try await PostgreSQLLedger.open(at: address, migrations: [Self.note, foreign])
        }
        #expect(error?.code == .migration)
        #expect(error?.message.contains("messages/1") == true)
        let ending = StoreMigration("notes/2", sql: "", postgreSQL: "CREATE TABLE more (a text); COMMIT")
        let ended = await #expect(throws: StoreError.self) {
            try await PostgreSQLLedger.open(at: address, migrations: [ending])
        }
        #expect(ended?.message.contains("ends the transaction") == true)
        _ = try await PostgreSQLLedger.open(at: address, migrations: [Self.note])
        try TestServer.run("UPDATE store SET version = 2", on: address)
        for migrations in [[Self.note], nil] {
            let newer = await #expect(throws: StoreError.self) {
                try await PostgreSQLLedger.open(at: address, migrations: migrations)
            }
            #expect(newer?.code == .newer)
        }
    }

    @Test("Values that JSON cannot hold, and texts that a column cannot, are errors that say what to do")
    func unsupportedValuesAreErrorsWithRemedy() async throws {
        let ledger = try await PostgreSQLLedger.open(at: try TestServer.makeSchema(), migrations: [Self.note])
        let key = EffectKey(request: "0:0", name: "values", ordinal: 0)
        let cases: [(String, [JSONValue], String)] = [
            ("SELECT sum(2::bigint) AS total", [], "numeric"), ("SELECT '\\xff'::bytea AS raw", [], "bytes"),
            ("SELECT 'NaN'::float8 AS n", [], "NaN"), ("SELECT $1::uuid AS id", ["a\u{0}b"], "bytea"),
            ("SELECT $1::text AS t", ["a\u{0}b"], "22021"), ("SELECT $1::bigint AS n", ["hush"], "22P02"),
        ]
        for (sql, arguments, words) in cases {
            let error = await #expect(throws: StoreError.self) {
                try await ledger.perform(key) { .array(try $0.query(sql, arguments).map(JSONValue.object)) }
            }
            #expect(error?.message.contains(words) == true, "\(sql): \(error?.message ?? "")")
            #expect(error?.message.contains("hush") == false)
        }
        // A statement that fails fails the effect, although the body goes on.
        await #expect(throws: StoreError.self) {
            try await ledger.perform(key) { store in
                _ = try? store.execute("INSERT INTO nowhere VALUES (1)", [])
                return "done"
            }
        }
        #expect(try await ledger.perform(key) { _ in "once" } == "once")
    }
}
#endif
