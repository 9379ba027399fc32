import Foundation
import IntentRuntime
import IntentStore
import Testing

@Suite("State that is put away")
struct SQLiteStateSpillTests {
    private func state(_ user: String, _ text: String, partition: Int = 1) -> SpilledState {
        SpilledState(partition: partition, user: user, entries: Array(text.utf8))
    }

    @Test("what was put away comes back once, by partition and user, byte for byte")
    func comesBackOnce() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"))
        try await spill.store([state("ä\u{0}b", "one"), state("u2", ""), state("u2", "other", partition: 2)])
        #expect(
            try await spill.take(["u2", "nobody", "ä\u{0}b"], partition: 1) == [
                state("u2", ""), state("ä\u{0}b", "one"),
            ]
        )
        #expect(try await spill.take(["u2", "ä\u{0}b"], partition: 1).isEmpty)
        #expect(try await spill.take(["u2"], partition: 2) == [state("u2", "other", partition: 2)])
        await spill.close()
        #expect(!FileManager.default.fileExists(atPath: directory.file("state.sqlite")))
    }

    @Test("pages hold every user of a partition once; a partition that is dropped has none")
    func pages() async throws {
        let directory = try TemporaryDirectory()
        let spill = try await SQLiteStateSpill.open(at: directory.file("state.sqlite"))
        let users = (0..<25).map { "u\($0)" }
        try await spill.store(users.map { state($0, "of \($0)") } + [state("x", "y", partition: 2)])
        var seen: [SpilledState] = []
        while case let page = try await spill.page(partition: 1, after: seen.last?.user, limit: 10), !page.isEmpty {
            seen += page
        }
        #expect(seen == users.sorted().map { state($0, "of \($0)") })
        try await spill.drop(partition: 1)
        #expect(try await spill.page(partition: 1, after: nil, limit: 10).isEmpty)
        #expect(try await spill.page(partition: 2, after: nil, limit: 10).count == 1)
        await spill.close()
    }

    @Test("a file that a killed process left behind is replaced")
    func replacesLeftovers() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("state.sqlite")
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
        let spill = try await SQLiteStateSpill.open(at: path)
        #expect(try await spill.page(partition: 0, after: nil, limit: 1).isEmpty)
        await spill.close()
    }
}
