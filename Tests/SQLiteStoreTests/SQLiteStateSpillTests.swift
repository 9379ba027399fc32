import Foundation
import GRDB
import IntentEvents
import IntentLab
import IntentRuntime
import SQLiteStore
import Testing

@Suite("Evicted state in SQLite")
struct SQLiteStateSpillTests {
    private func entry(_ user: UserID, _ name: StateName, _ text: String?, partition: Int = 1) -> SpilledEntry {
        SpilledEntry(partition: partition, user: user, name: name, value: text.map { Array($0.utf8) })
    }

    @Test("Evicted entries come back by partition and user, byte for byte; a useless file is removed")
    func evictedEntriesComeBackUnchanged() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"), deployment: "d1")
        let strange = [entry("ä\u{0}b", "s/\u{0}", "one\u{0}"), entry("ä\u{0}b", "v", "")]
        try await spill.store(strange + [entry("u2", "v", "two"), entry("u2", "v", "other", partition: 2)])
        for _ in 1...2 {
            #expect(
                Set(try await spill.load(["u2", "nobody", "ä\u{0}b"], waiting: [:], partition: 1))
                    == Set(strange + [entry("u2", "v", "two")])
            )
        }
        #expect(try await spill.load(["u2"], waiting: [:], partition: 2) == [entry("u2", "v", "other", partition: 2)])
        await spill.close()
        #expect(!FileManager.default.fileExists(atPath: directory.file("state.sqlite")))
    }

    @Test("A later entry replaces an earlier one of its name, and one without a value removes it (R6)")
    func laterEntryReplacesOrRemoves() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"), deployment: "d1")
        try await spill.store([entry("u", "a", "1"), entry("u", "b", "1"), entry("u", "c", nil), entry("u", "a", "2")])
        try await spill.store([entry("u", "b", nil), entry("u", "c", "1"), entry("u", "c", nil), entry("u", "c", "2")])
        #expect(
            try await spill.page(partition: 1, after: nil, limit: 10) == [entry("u", "a", "2"), entry("u", "c", "2")]
        )
        await spill.close()
    }

    @Test("Pages cover every entry of a partition once; a dropped partition has none")
    func pagesCoverPartitionOnce() async throws {
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

    @Test("R6: kept state is found by its own deployment, for an hour, however often the file is opened")
    func ownDeploymentFindsStateForAnHour() async throws {
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
            let entries = try await spill.page(partition: 1, after: nil, limit: 10)
            let positions = try await spill.positions()
            await spill.close()
            return (positions, entries)
        }

        try await keep()
        #expect(try await found() == (kept, [entry("u", "a", "1")]))
        #expect(try await found() == (kept, [entry("u", "a", "1")]))
        #expect(try await found(by: "d2") == ([:], []))
        for seconds in [-3_700, 60] {
            try await keep()
            try await DatabaseQueue(path: path)
                .write { try $0.execute(sql: "UPDATE positions SET at = at + \(seconds)") }
            #expect(try await found() == ([:], []))
        }
        try await keep()
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE positions SET at = at - 3000") }
        #expect(try await found() == (kept, [entry("u", "a", "1")]))
    }

    /// What a process that is killed now would leave.
    private func leftovers(of path: String, _ name: String, in directory: TemporaryDirectory) throws -> String {
        let copy = directory.file(name)
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
            try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
        }
        return copy
    }

    @Test("R6: a killed process leaves what it wrote last with its offset, or nothing")
    func killLeavesLastWriteWithItsOffset() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        let spill = try await SQLiteStateSpill.open(at: path, deployment: "d1")
        func found(_ name: String) async throws -> (Int64?, [SpilledEntry]) {
            let copy = try await SQLiteStateSpill.open(
                at: self.leftovers(of: path, name, in: directory),
                deployment: "d1"
            )
            let loaded = try await copy.load(["u"], waiting: [:], partition: 1)
            let found = (try await copy.positions()[1]?.position, loaded)
            await copy.close()
            return found
        }
        try await spill.store([entry("u", "a", "1")])
        #expect(try await found("before") == (nil, []), "Nobody knows what it is good for.")
        try await spill.store([entry("u", "b", "1")], upTo: [1: KeptPartition(position: 7, chain: "c")], age: .zero)
        #expect(try await found("first") == (7, [entry("u", "a", "1"), entry("u", "b", "1")]))
        try await spill.store([entry("u", "a", nil), entry("u", "b", "2")])
        #expect(try await found("ahead") == (7, [entry("u", "b", "2")]), "Entries may be ahead of the offset.")
        try await spill.store([entry("u", "b", "3")], upTo: [1: KeptPartition(position: 9, chain: "c")], age: .zero)
        #expect(try await found("second") == (9, [entry("u", "b", "3")]))
        try await spill.drop(partition: 1)
        #expect(try await found("dropped") == (nil, []))
        await spill.close()
    }

    @Test("State that is too old is not used, nor what another boot of the machine left behind")
    func oldStateAndOtherBootsAreNotTrusted() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        let spill = try await SQLiteStateSpill.open(at: path, deployment: "d1")
        let position = KeptPartition(position: 7, chain: "c")
        try await spill.store([], upTo: [1: position], age: .seconds(3_700))
        #expect(try await spill.positions().isEmpty)
        try await spill.store([], upTo: [1: position], age: .seconds(3_500))
        #expect(try await spill.positions() == [1: position])
        await spill.close()
        for (boot, isUsed) in [("", true), ("another", false)] {
            try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE positions SET boot = '\(boot)'") }
            let next = try await SQLiteStateSpill.open(at: path, deployment: "d1")
            #expect(try await next.positions().isEmpty != isUsed)
            // If it was in use, it is useless after a reboot of the machine.
            let copy = try self.leftovers(of: path, "copy\(boot)", in: directory)
            let left = try await DatabaseQueue(path: copy)
                .read { try Int.fetchOne($0, sql: "SELECT count(*) FROM positions WHERE boot = ''") }
            #expect(left == 0)
            await next.close()
        }
    }

    @Test("Partitions for which the file is not valid are removed when it is opened")
    func removesInvalidPartitionsOnOpening() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        let first = try await SQLiteStateSpill.open(at: path, deployment: "d1")
        try await first.store((0..<4).map { entry("u", "a", "1", partition: $0) })
        try await first.store([], upTo: [2: KeptPartition(position: 7, chain: "c")], age: .zero)
        await first.close()
        let second = try await SQLiteStateSpill.open(at: path, deployment: "d1")
        for partition in 0..<4 {
            #expect(try await second.load(["u"], waiting: [:], partition: partition).count == (partition == 2 ? 1 : 0))
        }
        await second.close()
    }

    @Test("A file that a killed process left behind is replaced")
    func replacesFileOfKilledProcess() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
        let spill = try await SQLiteStateSpill.open(at: path, deployment: "d1")
        #expect(try await spill.page(partition: 0, after: nil, limit: 1).isEmpty)
        await spill.close()
    }
}
