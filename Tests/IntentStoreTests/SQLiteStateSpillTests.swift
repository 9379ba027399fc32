import Foundation
import GRDB
import IntentEvents
import IntentRuntime
import IntentStore
import Testing

@Suite("State that is put away")
struct SQLiteStateSpillTests {
    private func entry(_ user: UserID, _ name: StateName, _ text: String?, partition: Int = 1) -> SpilledEntry {
        SpilledEntry(partition: partition, user: user, name: name, value: text.map { Array($0.utf8) })
    }

    @Test("what was put away comes back once, by partition and user, byte for byte")
    func comesBackOnce() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"), deployment: "d1")
        let strange = [entry("ä\u{0}b", "s/\u{0}", "one\u{0}"), entry("ä\u{0}b", "v", "")]
        try await spill.store(strange + [entry("u2", "v", "two"), entry("u2", "v", "other", partition: 2)])
        #expect(
            Set(try await spill.take(["u2", "nobody", "ä\u{0}b"], partition: 1))
                == Set(strange + [entry("u2", "v", "two")])
        )
        #expect(try await spill.take(["u2", "ä\u{0}b"], partition: 1).isEmpty)
        #expect(try await spill.take(["u2"], partition: 2) == [entry("u2", "v", "other", partition: 2)])
        await spill.close()
        #expect(!FileManager.default.fileExists(atPath: directory.file("state.sqlite")))
    }

    @Test("a later entry replaces an earlier one of its name, and one without a value removes it (R6)")
    func laterEntriesCount() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"), deployment: "d1")
        try await spill.store([entry("u", "a", "1"), entry("u", "b", "1"), entry("u", "c", nil), entry("u", "a", "2")])
        try await spill.store([entry("u", "b", nil), entry("u", "c", "1"), entry("u", "c", nil), entry("u", "c", "2")])
        #expect(
            try await spill.page(partition: 1, after: nil, limit: 10) == [entry("u", "a", "2"), entry("u", "c", "2")]
        )
        await spill.close()
    }

    @Test("pages hold every entry of a partition once; a partition that is dropped has none")
    func pages() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"), deployment: "d1")
        let entries = (0..<9).flatMap { user in (0..<7).map { entry("u\(user)", "s/\($0)", "\(user) \($0)") } }
        try await spill.store(entries.shuffled() + [entry("x", "y", "z", partition: 2)])
        var seen: [SpilledEntry] = []
        while case let page = try await spill.page(partition: 1, after: seen.last, limit: 10), !page.isEmpty {
            seen += page
        }
        #expect(seen == entries)
        try await spill.drop(partition: 1)
        #expect(try await spill.page(partition: 1, after: nil, limit: 10).isEmpty)
        #expect(try await spill.page(partition: 2, after: nil, limit: 10).count == 1)
        await spill.close()
    }

    @Test("what was kept is found once, by its own deployment, for an hour")
    func isKept() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        let kept = [1: KeptPartition(position: 7, chain: "c"), 2: KeptPartition(position: 0, chain: "")]
        func keep() async throws {
            let spill = try await SQLiteStateSpill.open(at: path, deployment: "d1")
            try await spill.store([entry("u", "a", "1")])
            try await spill.close(keeping: kept)
        }
        func found(by deployment: String = "d1") async throws -> ([Int: KeptPartition], [SpilledEntry]) {
            let spill = try await SQLiteStateSpill.open(at: path, deployment: deployment)
            return (spill.kept, try await spill.page(partition: 1, after: nil, limit: 10))
        }

        try await keep()
        #expect(try await found() == (kept, [entry("u", "a", "1")]))
        // Whoever found it was killed: it may have changed everything.
        #expect(try await found() == ([:], []))
        try await keep()
        #expect(try await found(by: "d2") == ([:], []))
        for seconds in [-3_700, 60] {
            try await keep()
            try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE kept SET at = at + \(seconds)") }
            #expect(try await found() == ([:], []))
        }
        try await keep()
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE kept SET at = at - 3000") }
        #expect(try await found() == (kept, [entry("u", "a", "1")]))
    }

    @Test("a file that a killed process left behind is replaced")
    func replacesLeftovers() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
        let spill = try await SQLiteStateSpill.open(at: path, deployment: "d1")
        #expect(try await spill.page(partition: 0, after: nil, limit: 1).isEmpty)
        await spill.close()
    }
}
