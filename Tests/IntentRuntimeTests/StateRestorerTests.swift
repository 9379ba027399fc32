import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R6: restoring the state of assigned partitions")
struct StateRestorerTests {
    private static let topicPartition = TopicPartition(Topic.state.name(prefix: "intents"), 0)

    private static func record(
        _ user: UserID,
        _ name: StateName,
        _ value: String?,
        stage: Stage = .resolve
    ) -> OutgoingRecord {
        OutgoingRecord(
            topicPartition: Self.topicPartition,
            key: StateKey(stage: stage, user: user, name: name).bytes,
            value: value.map { Array($0.utf8) }
        )
    }

    /// What two stages have written: another stage's entries and a removed one are none of the lane's.
    private static let records = [
        Self.record("u1", "a", "1"), Self.record("u2", "a", "2"), Self.record("u1", "a", "3"),
        Self.record("u3", "a", "4", stage: .handle), Self.record("u2", "a", nil), Self.record("u2", "b", "5"),
        Self.record("", StateKey.chain, "digest"),
    ]

    private static func log() async throws -> InMemoryLog {
        let log = InMemoryLog()
        _ = try await log.createTopics([TopicDescription(name: Self.topicPartition.topic, partitions: 1)])
        let producer = try await log.makeProducer()
        _ = try await producer.send(Self.records)
        await producer.close()
        return log
    }

    private static func entry(_ user: UserID, _ name: StateName, _ value: String) -> SpilledEntry {
        SpilledEntry(partition: 0, user: user, name: name, value: Array(value.utf8))
    }

    /// Restores the partition; returns it, and what was reported about it.
    private static func restore(
        _ log: InMemoryLog,
        _ spill: MemorySpill?,
        while shouldContinue: () async throws(LogError) -> Bool = { true }
    ) async throws -> (work: PartitionWork, restored: StateRestorer.Restored?) {
        let environment = try StageEnvironment.tests(.resolve)
        let work = PartitionWork(partition: 0, settings: RuntimeSettings(), isSaved: spill != nil)
        let cache = StateCache(spill: spill, budget: .max, retention: .zero)
        let extents = try await TopicExtents.ask(log, [Self.topicPartition])
        let restored = try await StateRestorer(log: log, environment: environment, cache: cache)
            .restore([0: work], extents, lookingFor: [], while: shouldContinue)
        return (work, restored)
    }

    @Test("Without a file the whole topic is read; the last value of each entry of the stage counts")
    func withoutFileReadsWholeTopic() async throws {
        let (work, restored) = try await Self.restore(try await Self.log(), nil)
        #expect(restored?.read == 7)
        #expect(Set(work.table.users) == ["u1", "u2"])
        #expect(work.table.value("a", user: "u1") == Array("3".utf8))
        #expect(work.table.value("a", user: "u2") == nil)
        #expect(work.table.value("b", user: "u2") == Array("5".utf8))
        #expect(work.chain == "digest")
    }

    @Test("With a file only what came after it is read; then the file is valid up to the end")
    func withFileReadsOnlyTheRest() async throws {
        let kept = [Self.entry("u1", "a", "3"), Self.entry("u2", "a", "2"), Self.entry("u4", "a", "kept")]
        let spill = MemorySpill(kept, positions: [0: KeptPartition(position: 4, chain: "before")])
        let (work, restored) = try await Self.restore(try await Self.log(), spill)
        #expect(restored?.read == 3)
        #expect(work.chain == "digest")
        // What lies in the file is not in memory.
        #expect(work.table.users.isEmpty)
        #expect(work.recent.spilled == ["u1", "u2", "u4"])
        let left = try await spill.page(partition: 0, after: nil, limit: 10)
        #expect(left == [Self.entry("u1", "a", "3"), Self.entry("u2", "b", "5"), Self.entry("u4", "a", "kept")])
        #expect(try await spill.positions() == [0: KeptPartition(position: 7, chain: "digest")])
    }

    @Test("A file from beyond the topic's end or before its beginning is dropped", arguments: [8, -1] as [Int64])
    func dropsFileOutsideTopicsRange(position: Int64) async throws {
        let log = try await Self.log()
        if position < 0 { try log.trim(Self.topicPartition, to: 2) }
        let spill = MemorySpill(
            [Self.entry("u4", "a", "old")],
            positions: [0: KeptPartition(position: max(position, 1), chain: "old")]
        )
        let (work, restored) = try await Self.restore(log, spill)
        #expect(restored?.read == (position < 0 ? 5 : 7))
        #expect(!work.recent.spilled.contains("u4"))
        #expect(try await spill.positions() == [0: KeptPartition(position: 7, chain: "digest")])
    }

    @Test("A lane that is stopped during a restore has restored nothing, and its file is unchanged")
    func stoppedLaneRestoresNothing() async throws {
        let spill = MemorySpill(positions: [0: KeptPartition(position: 4, chain: "before")])
        let (_, restored) = try await Self.restore(try await Self.log(), spill) { false }
        #expect(restored == nil)
        #expect(try await spill.positions() == [0: KeptPartition(position: 4, chain: "before")])
    }
}
