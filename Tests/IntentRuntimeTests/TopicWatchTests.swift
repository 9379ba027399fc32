import InMemoryLog
import IntentEvents
@testable import IntentRuntime
import IntentLab
import Logging
import Testing

/// A deployment's topics that change while a process works on them.
@Suite(.timeLimit(.minutes(1))) struct TopicWatchTests {
    private let log = InMemoryLog()
    private let health = LaneHealth(role: "resolve", lane: "lane", clock: SystemRuntimeClock())

    private func watch(missingTimeout: Duration) async throws -> TopicWatch {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 3), on: self.log)
        self.health.enter(.working)
        return TopicWatch(
            deployment,
            on: self.log,
            health: [self.health],
            missingTimeout: missingTimeout,
            interval: .milliseconds(5),
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("R6: more partitions end the watch at once, and no lane is ready from then on", arguments: Topic.allCases)
    func addedPartitionsEndWatch(_ topic: Topic) async throws {
        let watch = try await self.watch(missingTimeout: .seconds(3_600))
        let name = topic.name(prefix: "intents")
        try self.log.setPartitions(of: name, to: 5)
        let error = await #expect(throws: LogError.self) { try await watch.run() }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("there is now a partition \(name)[3]") == true, "\(String(describing: error))")
        #expect(!self.health.report.isReady)
        #expect(self.health.report.description.hasPrefix("cannot work: there is now a partition"))
    }

    @Test(
        "R6: a missing topic makes its lanes unready at once, and ends the watch after a while",
        arguments: Topic.allCases
    )
    func missingTopicEndsWatchAfterAWhile(_ topic: Topic) async throws {
        let watch = try await self.watch(missingTimeout: .milliseconds(20))
        let name = topic.name(prefix: "intents")
        try self.log.deleteTopic(name)
        let error = await #expect(throws: LogError.self) { try await watch.run() }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains(name.text) == true)
        #expect(!self.health.report.isReady)
    }

    @Test("R6: a topic that comes back in time changes nothing")
    func topicThatReturnsChangesNothing() async throws {
        let watch = try await self.watch(missingTimeout: .seconds(3_600))
        let name = Topic.responses.name(prefix: "intents")
        try self.log.deleteTopic(name)
        let running = Task { try await watch.run() }
        try await eventually { !self.health.report.isReady }
        _ = try await self.log.createTopics(TopicPlan(partitions: 3).topics())
        try await eventually { self.health.report.isReady }
        running.cancel()
        try await running.value
    }
}
