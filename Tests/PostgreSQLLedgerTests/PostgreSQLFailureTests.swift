#if PostgreSQL
import Dispatch
import Foundation
import IntentKit
import IntentLab
import IntentLedger
import Synchronization
import Testing

@testable import PostgreSQLLedger

/// Breaks connections, commits, the server and the disk, each test those of a server of its own.
@Suite(
    "R30, R35: effects on PostgreSQL happen once despite failures",
    .enabled(if: TestServer.address != nil, "INTENTD_TEST_POSTGRESQL names no server: see Tests/postgresql.sh"),
    .timeLimit(.minutes(3))
)
struct PostgreSQLFailureTests {
    private static let notes = StoreMigration(
        "notes/1",
        sql: "",
        postgreSQL: "CREATE TABLE notes (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)"
    )

    private func open(_ server: OwnServer) async throws -> PostgreSQLLedger {
        try await PostgreSQLLedger.open(at: server.address, migrations: [Self.notes])
    }

    private static func key(_ number: Int = 0) -> EffectKey {
        EffectKey(request: "\(number % 8):\(number)", name: "note", ordinal: 0)
    }

    private static func writing(_ text: String) -> @Sendable (any StoreTransaction) throws -> JSONValue {
        { store in
            try store.execute("INSERT INTO notes (text) VALUES ($1)", [.string(text)])
            return .string(text)
        }
    }

    private static func notes(_ ledger: PostgreSQLLedger) async throws -> [String] {
        let rows = try await ledger.read { store in
            .array(try store.query("SELECT text FROM notes ORDER BY number", [], as: String.self).map(JSONValue.string))
        }
        return (rows.array ?? []).compactMap(\.string)
    }

    @Test("A connection that is cut before the commit: nothing is left of the transaction, and it is repeated")
    func cutBeforeCommitRetriesTransaction() async throws {
        try await OwnServer.with { server in
            let ledger = try await self.open(server)
            // At COMMIT, a transaction that has written a note waits for the lock.
            try TestServer.run(
                """
                CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END';
                CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait()
                """,
                on: server.address
            )
            let holder = try PostgreSQLConnection(server.address, .reading)
            try holder.script("SELECT pg_advisory_lock(42)")
            let runs = Mutex(0)
            async let made = ledger.perform(Self.key()) { store in
                runs.withLock { $0 += 1 }
                return try Self.writing("a")(store)
            }
            try await server.cut(waitingFor: "advisory")
            try holder.script("SELECT pg_advisory_unlock(42)")
            let result = try await made
            #expect(result == "a")
            #expect(try await Self.notes(ledger) == ["a"])
            #expect(runs.withLock { $0 } == 2)
        }
    }

    @Test(
        "A connection that is cut after the commit and before its answer: the ledger is asked, and nothing is repeated"
    )
    func cutAfterCommitRepeatsNothing() async throws {
        try await OwnServer.with { server in
            let ledger = try await self.open(server)
            // A commit is on the server's disk, and waits for a standby that is not there.
            try await server.holdCommits()
            let runs = Mutex(0)
            async let made = ledger.perform(Self.key()) { store in
                runs.withLock { $0 += 1 }
                return try Self.writing("a")(store)
            }
            try await server.cut(waitingFor: "SyncRep")
            try await server.releaseCommits()
            let result = try await made
            #expect(result == "a")
            try await server.holdCommits()
            async let closed = ledger.close(request: "9:9", unlessEffects: true)
            try await server.cut(waitingFor: "SyncRep")
            try await server.releaseCommits()
            let isClosed = try await closed
            #expect(isClosed)
            #expect(try await Self.notes(ledger) == ["a"])
            #expect(runs.withLock { $0 } == 1)
        }
    }

    @Test("An old worker whose connection was cut in the middle finds its interaction ended, and does nothing")
    func zombieFindsInteractionEnded() async throws {
        try await OwnServer.with { server in
            let (old, new) = (try await self.open(server), try await self.open(server))
            let gate = DispatchSemaphore(value: 0)
            let begun = DispatchSemaphore(value: 0)
            let zombie = Task {
                try await old.perform(Self.key()) { store in
                    let value = try Self.writing("late")(store)
                    begun.signal()
                    gate.wait()
                    return value
                }
            }
            try await Self.wait(for: begun)
            // The new one waits for the rows of the old one, until the server ends the old one's transaction.
            async let closed = new.close(request: Self.key().request, unlessEffects: true)
            try await server.waitUntilWaiting(for: "transactionid")
            try await server.cut(waitingFor: "ClientRead")
            let isClosed = try await closed
            #expect(isClosed)
            gate.signal()
            await #expect(throws: LedgerClosedError(Self.key())) { try await zombie.value }
            #expect(try await Self.notes(new) == [])
        }
    }

    @Test("A server that crashes and restarts while effects are made", arguments: [1, 2] as [UInt64])
    func serverCrashesMakeEffectsOnce(seed: UInt64) async throws {
        try await OwnServer.with { server in
            try await self.play(seed, server) { random in
                if Bool.random(using: &random) { try TestServer.run("CHECKPOINT", on: server.address) }
                try await server.crash()
                try await server.start()
            }
        }
    }

    @Test("Connections that are cut at random while effects are made", arguments: [3, 4] as [UInt64])
    func randomCutsMakeEffectsOnce(seed: UInt64) async throws {
        try await OwnServer.with { server in
            try await self.play(seed, server) { random in
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    let third = Int.random(in: 0..<3, using: &random)
                    let sql = """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'intentd'
                        AND pid <> pg_backend_pid() AND pid % 3 = \(third)
                        """
                    try TestServer.run(sql, on: server.address)
                }
            }
        }
    }

    @Test("R35: a full disk is a transient error, and the effect is made once there is room")
    func fullDiskIsTransientError() async throws {
        try await OwnServer.with { server in
            guard let disk = try await server.makeSmallDisk(4) else {
                print("The full disk was not tried: only root may mount one.")
                return
            }
            let ledger = try await self.open(server)
            try TestServer.run("CREATE TABLESPACE small LOCATION '\(disk)'", on: server.address)
            try TestServer.run(
                "ALTER TABLE notes SET TABLESPACE small; ALTER TABLE notes ALTER text SET STORAGE EXTERNAL",
                on: server.address
            )
            let long = String(repeating: "x", count: 8_000_000)
            #expect(try await ledger.perform(Self.key(1), Self.writing("short")) == "short")
            await #expect(throws: StoreBusyError.self) { try await ledger.perform(Self.key(), Self.writing(long)) }
            // There is room for it in the first one's page.
            #expect(try await ledger.perform(Self.key(2), Self.writing("shorter")) == "shorter")
            try TestServer.run("ALTER TABLE notes SET TABLESPACE pg_default", on: server.address)
            #expect(try await ledger.perform(Self.key(), Self.writing(long)) == .string(long))
            #expect(try await Self.notes(ledger) == ["short", "shorter", long])
        }
    }

    @Test("An unreachable server is a transient error, also when workers start")
    func unreachableServerIsTransientError() async throws {
        try await OwnServer.with { server in
            let ledger = try await self.open(server)
            try await server.crash()
            await #expect(throws: StoreBusyError.self) { try await ledger.perform(Self.key(), Self.writing("a")) }
            await #expect(throws: StoreBusyError.self) { try await Self.notes(ledger) }
            await #expect(throws: StoreBusyError.self) { try await ledger.tryWriting() }
            await #expect(throws: StoreBusyError.self) { try await self.open(server).identifier }
            try await server.start()
            try await ledger.tryWriting()
            #expect(try await ledger.perform(Self.key(), Self.writing("a")) == "a")
            #expect(try await Self.notes(ledger) == ["a"])
        }
    }

    @Test("A server that may lose acknowledged writes is refused")
    func refusesServerWithoutDurability() async throws {
        try await OwnServer.with { server in
            try await server.set("synchronous_commit", "off")
            let ledger = try await self.open(server)
            let setting = try await ledger.write { store in
                .array(try store.query("SELECT current_setting('synchronous_commit') AS s", []).map(JSONValue.object))
            }
            #expect(setting == [["s": "on"]])
            try await server.set("fsync", "off")
            let error = await #expect(throws: StoreError.self) { try await self.open(server) }
            #expect(error?.code == .settings)
        }
    }

    /// Two workers make 400 effects and 100 ends, each asked for by both, while faults happen; then everything is there
    /// once.
    private func play(
        _ seed: UInt64,
        _ server: OwnServer,
        fault: @escaping @Sendable (inout SeededNumbers) async throws -> Void
    ) async throws {
        let ledgers = [try await self.open(server), try await self.open(server)]
        let (progress, done) = AsyncStream.makeStream(of: Void.self)
        let results = try await withThrowingTaskGroup(of: (Int, JSONValue)?.self) { group in
            for asker in 0..<800 {
                let number = asker / 2
                group.addTask {
                    defer { done.yield() }
                    let ledger = ledgers[asker % 2]
                    let result = try await Self.insisting {
                        try await ledger.perform(Self.key(number), Self.writing("\(number)"))
                    }
                    if number % 4 == 0 {
                        let closed = try await Self.insisting {
                            try await ledger.close(request: Self.key(number).request, unlessEffects: asker % 8 == 0)
                        }
                        #expect(closed == (asker % 8 != 0), "\(number)")
                    }
                    return (number, result)
                }
            }
            group.addTask {
                var random = SeededNumbers(seed: seed)
                var count = 0
                for await _ in progress.prefix(700) {
                    count += 1
                    if count % 100 == 0 { try await fault(&random) }
                }
                return nil
            }
            return try await group.reduce(into: [Int: Set<JSONValue>]()) { results, result in
                if let (number, value) = result { results[number, default: []].insert(value) }
            }
        }
        #expect(results == Dictionary(uniqueKeysWithValues: (0..<400).map { ($0, [.string("\($0)")]) }))
        let notes = try await Self.insisting { try await Self.notes(ledgers[0]) }
        #expect(notes.sorted() == (0..<400).map(String.init).sorted())
        #expect(try await ledgers[1].effects(origin: Self.key(17).request) == ["note"])
    }

    /// Tries again whatever is transient.
    private static func insisting<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        while true {
            do {
                return try await body()
            } catch is any TransientError {
                await Task.yield()
            }
        }
    }

    private static func wait(for semaphore: DispatchSemaphore) async throws {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
#endif
