import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import Logging
import Testing

@testable import IntentRuntime

@Suite("State beyond the budget is evicted to the lane's file")
struct StateCacheTests {
    private static let users = (0..<8).map { UserID("u\($0)") }
    private static let value = [UInt8](repeating: 1, count: 1_000)

    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    /// A partition whose users were needed one second after the other.
    private static func work() -> PartitionWork {
        let work = PartitionWork(partition: 3, settings: RuntimeSettings(), isSaved: true)
        for (index, user) in Self.users.enumerated() {
            work.apply("entry", user: user, StateEntry(text: Self.value))
            work.recent.touch(user, at: Self.time(Int64(index)))
        }
        return work
    }

    @Test(
        "The least recently used entries are evicted, down to three quarters of the budget, and come back when needed"
    )
    func evictsLeastRecentlyUsedToThreeQuarters() async throws {
        let spill = MemorySpill()
        let work = Self.work()
        let all = work.table.byteCount
        let cache = StateCache(spill: spill, budget: all * 3 / 4, retention: .seconds(60))
        try await cache.evict([work], at: Self.time(1_000))
        let gone = Array(Self.users.prefix(4))
        #expect(work.table.byteCount <= all * 9 / 16)
        #expect(spill.written.map(\.user) == gone)
        #expect(spill.written.allSatisfy { $0.value == Self.value && $0.partition == 3 && $0.name == "entry" })
        #expect(Set(work.table.users) == Set(Self.users.dropFirst(4)))
        #expect(work.recent.spilled == Set(gone))
        try await cache.evict([work], at: Self.time(1_000))
        #expect(spill.written.count == 4, "There is room.")
        try await cache.load([gone[1]], of: work, at: Self.time(1_001))
        #expect(work.table.value("entry", user: gone[1]) == Self.value)
        #expect(work.recent.spilled == Set(gone).subtracting([gone[1]]))
    }

    @Test("Nothing recently used is evicted, and nothing where there is room or no file")
    func evictsNothingRecentOrWithRoom() async throws {
        let work = Self.work()
        let all = work.table.byteCount
        let spill = MemorySpill()
        try await StateCache(spill: spill, budget: all, retention: .zero).evict([work], at: Self.time(1_000))
        try await StateCache(spill: nil, budget: 1, retention: .zero).evict([work], at: Self.time(1_000))
        // The first two were needed more than five seconds ago.
        #expect(work.table.byteCount == all && spill.written.isEmpty)
        try await StateCache(spill: spill, budget: 1, retention: .seconds(5)).evict([work], at: Self.time(6))
        #expect(spill.written.map(\.user) == Array(Self.users.prefix(2)))
    }

    @Test("Entries that are due are written in parts until none is left")
    func writesDueEntriesInParts() async throws {
        let spill = MemorySpill()
        let work = Self.work()
        let cache = StateCache(spill: spill, budget: .max, retention: .zero)
        #expect(try await cache.save([work], limit: 5), "Nothing is due before a checkpoint begins.")
        #expect(spill.written.isEmpty)
        work.unsaved?.makeDue()
        #expect(try await !cache.save([work], limit: 5))
        #expect(spill.written.count == 5)
        #expect(try await cache.save([work], limit: 5))
        #expect(spill.written.map(\.user) == Self.users)
    }

    @Test("The file is valid up to a checkpoint once its last part is written, and not before")
    func fileIsValidUpToCompletedCheckpoint() async throws {
        let spill = MemorySpill()
        let clock = SystemRuntimeClock()
        var settings = RuntimeSettings()
        // A part has three entries then.
        settings.stateLag = 30
        let session = LaneSession(
            log: InMemoryLog(),
            configuration: LaneConfiguration(group: "g", topics: [], name: "l"),
            environment: try StageEnvironment.tests(.resolve, settings: settings, clock: clock),
            spill: spill,
            health: LaneHealth(role: "resolve", lane: "l", clock: clock),
            logger: Logger(label: "tests")
        )
        let work = Self.work()
        session.partitions = [3: work]
        session.checkpoint.begin(ends: [3: 42], at: .zero)
        let hasBegun = session.checkpoint.recordCommitted()
        #expect(hasBegun)
        work.unsaved?.makeDue()
        for count in [3, 6] {
            try await session.save()
            #expect(spill.written.count == count)
            #expect(try await spill.positions().isEmpty)
        }
        try await session.save()
        #expect(spill.written.map(\.user) == Self.users)
        #expect(try await spill.positions() == [3: KeptPartition(position: 42, chain: "")])
        #expect(!session.checkpoint.isWriting)
    }
}
