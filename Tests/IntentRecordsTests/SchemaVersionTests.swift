import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentLedger
@testable import IntentRecords
@testable import SQLiteStore

@Suite("Files of newer versions are not touched")
struct SchemaVersionTests {
    private static func setVersion(_ version: Int, of path: String) throws {
        try DatabaseQueue(path: path)
            .writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    }

    private static func tables(of path: String) throws -> [String] {
        try DatabaseQueue(path: path)
            .read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            }
    }

    @Test("A record database with newer tables is refused, by writers and by readers")
    func refusesNewerRecordDatabase() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        await (try await RecordDatabase.open(at: path, prefix: "intents")).close()
        try Self.setVersion(RecordSchema.version + 1, of: path)
        let before = try Self.tables(of: path)
        let writing = await #expect(throws: StoreError.self) {
            _ = try await RecordDatabase.open(at: path, prefix: "intents")
        }
        #expect(writing?.code == .newer)
        #expect(writing?.message.contains("schema version \(RecordSchema.version + 1)") ?? false)
        let reading = await #expect(throws: StoreError.self) { _ = try await RecordArchive.open(at: path) }
        #expect(reading?.code == .newer)
        #expect(try Self.tables(of: path) == before)
    }

    @Test("A store with newer tables is refused, and no table is created in it")
    func refusesNewerStore() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.sqlite")
        try Self.setVersion(LedgerSchema.version + 1, of: path)
        let error = await #expect(throws: StoreError.self) { _ = try await SQLiteLedger.open(at: path, migrations: []) }
        #expect(error?.code == .newer)
        #expect(try Self.tables(of: path).isEmpty)
    }

    @Test("State that a newer version has evicted is discarded: it is only a copy of the topic")
    func discardsNewerSpilledState() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        let newest = RecordFormats.current.reads.upperBound
        for (version, isUsed) in [(newest, true), (newest + 1, false)] {
            let first = try await SQLiteStateSpill.open(at: path, deployment: "d")
            try await first.store([SpilledEntry(partition: 0, user: "u", name: "i/0:1", value: [0x7B, 0x7D])])
            try await first.close(keeping: [0: KeptPartition(position: 7, chain: "")])
            try Self.setVersion(version, of: path)
            let second = try await SQLiteStateSpill.open(at: path, deployment: "d")
            #expect(try await second.positions().keys.sorted() == (isUsed ? [0] : []))
            #expect(try await second.load(["u"], waiting: [:], partition: 0).count == (isUsed ? 1 : 0))
            await second.close()
        }
    }
}
