import InMemoryLog
import IntentEvents
import IntentLab
import Testing

@testable import IntentRuntime

/// When a worker believes what only an operator can resolve.
@Suite struct TopicGuardTests {
    private let log = InMemoryLog()
    private let clock = ShiftedClock()

    private func topics() async throws -> TopicGuard {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: self.log)
        return TopicGuard(deployment, missingTimeout: .seconds(30), clock: self.clock)
    }

    private static let shrunk = LogError.topicShrank(TopicPartition("t", 0), read: 3, end: 2)

    @Test("An end offset that is too early is believed when it stays so")
    func earlyEndIsBelievedWhenConfirmed() async throws {
        var topics = try await self.topics()
        for _ in 0..<3 {
            try await topics.check(Self.shrunk, on: self.log)
            self.clock.advance(by: .seconds(9))
        }
        self.clock.advance(by: .seconds(3))
        let error = await #expect(throws: LogError.self) { try await topics.check(Self.shrunk, on: self.log) }
        #expect(error?.code == .topicsChanged)
    }

    @Test("Two old leaders, long after each other, do not confirm an early end offset")
    func twoOldLeadersAreNoConfirmation() async throws {
        var topics = try await self.topics()
        try await topics.check(Self.shrunk, on: self.log)
        self.clock.advance(by: .seconds(60))
        try await topics.check(Self.shrunk, on: self.log)
    }

    @Test("What no broker can be wrong about is believed at once")
    func certainErrorsAreBelievedAtOnce() async throws {
        var topics = try await self.topics()
        for code in [LogError.Code.offsetsLost, .eventsLost, .unreadableFormat, .topicsChanged] {
            let error = await #expect(throws: LogError.self) {
                try await topics.check(LogError(code, "so it is"), on: self.log)
            }
            #expect(error?.code == code)
        }
    }

    @Test("A recreated topic is believed at once, whatever end offset a broker reports")
    func recreatedTopicIsBelievedAtOnce() async throws {
        var topics = try await self.topics()
        for topic in Topic.allCases { try self.log.deleteTopic(topic.name(prefix: "intents")) }
        _ = try await self.topics()
        let error = await #expect(throws: LogError.self) { try await topics.check(Self.shrunk, on: self.log) }
        #expect(error?.message.contains("re-created while this worker ran") == true)
    }
}
