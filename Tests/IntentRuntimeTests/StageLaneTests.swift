import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import Synchronization
import Testing

/// Each test names the transitions of a lane that it is about: joining, restoring, working, failing, left.
@Suite("A lane's states", .timeLimit(.minutes(1)))
struct StageLaneTests {
    /// The phases in which a lane was seen, each once in a row.
    private final class Diary: Sendable {
        private struct State {
            var lane: StageLane?
            var seen: [String] = []
            var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
        }

        private let state = Mutex(State())

        var seen: [String] { self.state.withLock(\.seen) }

        func follow(_ lane: StageLane) { self.state.withLock { $0.lane = lane } }

        func stopLane() { self.state.withLock(\.lane)?.stop() }

        func record() {
            let waiter = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let phase = state.lane?.health.report.phase else { return nil }
                let name = Self.name(phase)
                if state.seen.last != name { state.seen.append(name) }
                guard let waiter = state.waiter, state.seen.count >= waiter.count else { return nil }
                state.waiter = nil
                return waiter.continuation
            }
            waiter?.resume()
        }

        /// Returns when the lane was seen in that many phases.
        func has(_ count: Int) async {
            await withCheckedContinuation { continuation in
                let isReached = self.state.withLock { state in
                    guard state.seen.count < count else { return true }
                    state.waiter = (count, continuation)
                    return false
                }
                if isReached { continuation.resume() }
            }
        }

        private static func name(_ phase: LaneHealth.Phase) -> String {
            switch phase {
            case .joining: "joining"
            case .restoring: "restoring"
            case .working: "working"
            case .standby: "standing by"
            case .failing: "failing"
            case .left: "left"
            }
        }
    }

    private let log = InMemoryLog()
    private let diary = Diary()

    private func lane(_ spill: (any StateSpill)? = nil) async throws -> StageLane {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: self.log)
        let diary = self.diary
        // A lane looks at the clock in each round, and waits after an error.
        let clock = ManualClock(sleeps: .advancing)
        clock.onNow = { diary.record() }
        let environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([IntentExtension("Tests") { [IntentRegistration { GreetHandler() }] }]),
            deployment: deployment.id,
            prefix: deployment.prefix,
            partitions: deployment.partitions,
            worker: "w-0",
            clock: clock
        )
        let lane = StageLane(
            log: self.log,
            configuration: StageWorker.lane("w-0", of: .resolve, prefix: deployment.prefix),
            environment: environment,
            makeSpill: {
                diary.record()
                return spill ?? MemorySpill()
            },
            logger: .tests(.critical)
        )
        diary.follow(lane)
        return lane
    }

    private static let group = Stage.resolve.group(prefix: "intents")

    private static let once = ["joining", "restoring", "working"]

    /// Runs a lane until it works, then the body, and then tells the lane to stop.
    private func run(_ body: () async -> Void = {}) async throws {
        let lane = try await self.lane()
        let running = Task { try await lane.run() }
        await self.diary.has(3)
        await body()
        lane.stop()
        try await running.value
        self.diary.record()
    }

    @Test("joining → restoring → working → left, when the lane is stopped")
    func lifecycleUntilStopped() async throws {
        try await self.run()
        #expect(self.diary.seen == Self.once + ["left"])
    }

    @Test("working → failing → joining → restoring → working: after an error of the log the lane starts again")
    func restartsAfterLogError() async throws {
        try await self.run {
            self.log.fence(lane: "w-0", of: Self.group)
            await self.diary.has(7)
        }
        #expect(self.diary.seen == Self.once + ["failing"] + Self.once + ["left"])
    }

    @Test("working → restoring → working: after a rebalance the state of the partitions is read again")
    func rebalanceRestoresState() async throws {
        try await self.run {
            self.log.rebalance(Self.group)
            await self.diary.has(5)
        }
        #expect(self.diary.seen == Self.once + ["restoring", "working", "left"])
    }

    @Test("working → left: the file is valid for the partitions that were read, and for no others (R6)")
    func fileIsValidForReadPartitionsOnly() async throws {
        let spill = MemorySpill()
        let lane = try await self.lane(spill)
        let running = Task { try await lane.run() }
        await self.diary.has(3)
        // A record that is no event goes to dead letters.
        let producer = try await self.log.makeProducer()
        let topicPartition = TopicPartition(Topic.requests.name(prefix: "intents"), 1)
        _ = try await producer.send([OutgoingRecord(topicPartition: topicPartition, key: nil, value: [1])])
        let buried = TopicPartition(Topic.deadLetters.name(prefix: "intents"), 1)
        try await eventually { try await self.log.offsets([buried], at: .lastStable)[buried] != 0 }
        lane.stop()
        try await running.value
        let kept = try await spill.positions()
        let state = TopicPartition(Topic.state.name(prefix: "intents"), 1)
        // The last record of the topic is the marker of the lane's last transaction, or comes right before it.
        let end = try #require(try await self.log.offsets([state], at: .end)[state])
        #expect(Array(kept.keys) == [1], "No commit has shown whose partition 0 is.")
        #expect(kept[1]?.position ?? 0 > 0 && kept[1]?.position ?? 0 <= end)
        #expect(kept[1]?.chain.isEmpty == false)
    }

    @Test("restoring → left: the file of a lane that is stopped meanwhile is valid for nothing (R6)")
    func fileIsNotValidWithoutRestoring() async throws {
        let first = try await self.lane()
        let running = Task { try await first.run() }
        await self.diary.has(3)
        let producer = try await self.log.makeProducer()
        let topicPartition = TopicPartition(Topic.requests.name(prefix: "intents"), 1)
        _ = try await producer.send([OutgoingRecord(topicPartition: topicPartition, key: nil, value: [1])])
        try await eventually {
            try await self.log.committedOffsets(group: Self.group, partitions: [topicPartition])[topicPartition] != nil
        }
        first.stop()
        try await running.value
        let diary = self.diary
        let spill = MemorySpill { diary.stopLane() }
        try await self.lane(spill).run()
        #expect(try await spill.positions().isEmpty)
        #expect(self.diary.seen.filter { $0 == "working" }.count == 1)
    }

    @Test("joining → left: a lane that was stopped before it joined")
    func stopsBeforeJoining() async throws {
        let lane = try await self.lane()
        lane.stop()
        try await lane.run()
        self.diary.record()
        #expect(self.diary.seen == ["left"])
    }

    @Test("restoring → left: a lane that only an operator can help leaves with the error")
    func errorForOperatorEndsLane() async throws {
        let lane = try await self.lane()
        try self.log.setPartitions(of: Topic.requests.name(prefix: "intents"), to: 3)
        let error = await #expect(throws: LogError.self) { try await lane.run() }
        #expect(error?.code == .topicsChanged)
        self.diary.record()
        #expect(self.diary.seen == ["joining", "left"], "It has not come as far as its file.")
    }
}
