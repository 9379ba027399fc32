import InMemoryLog
import IntentEvents
import IntentLab
import IntentRuntime
import Logging
import Synchronization
import Testing

/// Brokers that were cut off, and tell what was true before others led their partitions.
@Suite("Partition leaders with outdated end offsets", .timeLimit(.minutes(1)))
struct OldLeaderTests {
    private static let partitions = 3
    private let log = InMemoryLog()
    private let lines = LogLines()

    private func topicPartitions(_ topic: Topic) -> [TopicPartition] {
        (0..<Self.partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
    }

    @Test("R6: a worker restores its group's last state, although an old leader reports an earlier end of the topic")
    func readsWholeStateDespiteOldLeader() async throws {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: self.log)
        let responses = try await Reading(.responses, Self.partitions, of: self.log)
        let before = OldLeader(log: self.log)
        try await WaitingWorker.run(deployment, before, ShiftedClock(), try TemporaryDirectory()) {
            try await WaitingWorker.request(10, of: Self.partitions, on: self.log)
            _ = try await responses.next(10)
            try await before.loseTouch(self.topicPartitions(.state))
            try await WaitingWorker.request(20, from: 10, of: Self.partitions, on: self.log)
            _ = try await responses.next(20)
        }
        // On another machine, without a file.
        try await WaitingWorker.run(deployment, before, ShiftedClock(), try TemporaryDirectory()) {
            try await WaitingWorker.request(30, of: Self.partitions, on: self.log)
            try await WaitingWorker.request(1, from: 30, of: Self.partitions, on: self.log)
            #expect(try await responses.next(1).map(\.subject) == ["i30"], "Repeated requests are known.")
        }
        #expect(try await responses.rest().isEmpty)
        await self.log.close()
    }

    @Test("An end offset from an old leader is requested again, and does not end the worker")
    func asksAgainForEndOffsetsOfOldLeader() async throws {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: self.log)
        let responses = try await Reading(.responses, Self.partitions, of: self.log)
        let before = OldLeader(log: self.log)
        let directory = try TemporaryDirectory()
        try await before.loseTouch(self.topicPartitions(.requests))
        try await WaitingWorker.run(deployment, self.log, ShiftedClock(), directory) {
            try await WaitingWorker.request(30, of: Self.partitions, on: self.log)
            _ = try await responses.next(30)
        }
        try await WaitingWorker.run(
            deployment,
            before,
            ShiftedClock(),
            directory,
            logger: self.lines.logger()
        ) {
            let line = try await self.lines.next(.warning, "Restarting lane")
            #expect(line.metadata["error.message"]?.description.contains("but now ends at 0") == true, "\(line)")
            before.learn()
            try await WaitingWorker.request(1, from: 30, of: Self.partitions, on: self.log)
            #expect(try await responses.next(1).map(\.subject) == ["i30"])
        }
        await self.log.close()
    }
}

/// A log whose brokers tell where partitions ended before they were cut off.
private final class OldLeader: ForwardingLog {
    let log: InMemoryLog
    private let ends = Mutex<[TopicPartition: Int64]>([:])

    init(log: InMemoryLog) { self.log = log }

    /// From now on these partitions seem to end here.
    func loseTouch(_ topicPartitions: [TopicPartition]) async throws {
        let ends = try await self.log.offsets(topicPartitions, at: .end)
        self.ends.withLock { $0 = ends }
    }

    /// The brokers learn that others lead.
    func learn() { self.ends.withLock { $0 = [:] } }

    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) async throws(LogError) -> [TopicPartition: Int64] {
        let found = try await self.log.offsets(partitions, at: query)
        guard query == .end else { return found }
        let ends = self.ends.withLock(\.self)
        return found.merging(ends.filter { found[$0.key] != nil }) { $1 }
    }
}
