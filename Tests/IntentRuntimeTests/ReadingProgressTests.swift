import InMemoryLog
import IntentEvents
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("When bounded reading that stalls is given up")
struct ReadingProgressTests {
    private static let first = TopicPartition("intents.state", 0)
    private static let second = TopicPartition("intents.state", 1)

    /// Advances by eight seconds at each look.
    private static func clock() -> ManualClock { ManualClock(step: .seconds(8)) }

    @Test("A minute at one place is too long; what moves, or was not looked at, is not counted")
    func oneMinuteWithoutProgressIsTooLong() throws {
        let open = [Self.first: Int64(9), Self.second: 5]
        var progress = ReadingProgress(from: [Self.first: 7, Self.second: 0], at: .seconds(100))
        for seconds in stride(from: 105, to: 160, by: 5) {
            try progress.show([Self.first: 7, Self.second: 0], before: open, at: .seconds(seconds))
        }
        try progress.show([Self.second: 1], before: open, at: .seconds(160))
        for seconds in stride(from: 165, to: 220, by: 5) { try progress.show([:], before: open, at: .seconds(seconds)) }
        // A reader that has not checked for longer has done something else meanwhile.
        try progress.show([:], before: open, at: .seconds(240))
        for seconds in stride(from: 245, to: 300, by: 5) { try progress.show([:], before: open, at: .seconds(seconds)) }
        let error = #expect(throws: LogError.self) { try progress.show([:], before: open, at: .seconds(300)) }
        #expect(error?.code == .noProgress)
        #expect(error?.isRetriable == true)
        #expect(error?.message.contains("7 of intents.state[0] for 60 s, although the partition ends at 9") == true)
        // Nothing is left to read.
        try progress.show([:], before: [:], at: .seconds(305))
    }

    /// A log with a record after which a transaction is open.
    private static func log() async throws -> InMemoryLog {
        var configuration = InMemoryLog.Configuration()
        // Its waits take no time.
        configuration.clock = ManualClock(sleeps: .advancing)
        let log = InMemoryLog(configuration)
        _ = try await log.createTopics([TopicDescription(name: "intents.state", partitions: 2)])
        func record(_ key: String) -> OutgoingRecord {
            OutgoingRecord(topicPartition: Self.first, key: Array(key.utf8), value: Array("{}".utf8), headers: [])
        }
        _ = try await log.makeProducer().send([record("resolve/u1/parked")])
        _ = try log.beginTransaction([record("resolve/u2/parked")])
        return log
    }

    @Test("A stalled restore fails with its offset, after passing on what it has read", .timeLimit(.minutes(1)))
    func stalledRestoreFailsWithPosition() async throws {
        let log = try await Self.log()
        let users = Mutex<[UserID]>([])
        let error = await #expect(throws: LogError.self) {
            try await StateReader.read([Self.first, Self.second], of: log, clock: Self.clock()) { entries in
                users.withLock { $0 += entries.map(\.key.user) }
                return true
            }
        }
        #expect(error?.code == .noProgress)
        #expect(error?.message.contains("offset 1 of intents.state[0]") == true, "\(String(describing: error))")
        #expect(users.withLock { $0 } == ["u1"])
    }

    @Test("A stalled read of a range fails with its offset", .timeLimit(.minutes(1)))
    func stalledRangeReadFails() async throws {
        let log = try await Self.log()
        let error = await #expect(throws: LogError.self) {
            try await log.read([Self.first: 0..<2], clock: Self.clock()) { _ in }
        }
        #expect(error?.code == .noProgress)
    }
}
