import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime
import Logging
import Synchronization
import Testing

/// Each test names the transitions of a lane that it is about: joining, restoring, working, failing, left.
@Suite("A lane's states", .timeLimit(.minutes(1)))
struct StageLaneTests {
    /// The phases in which a lane was seen, each once in a row.
    private final class Diary: Sendable {
        private let state = Mutex<(lane: StageLane?, seen: [String])>((nil, []))

        var seen: [String] { self.state.withLock(\.seen) }

        func follow(_ lane: StageLane) { self.state.withLock { $0.lane = lane } }

        func note() {
            self.state.withLock { state in
                let name: String? =
                    switch state.lane?.health.report.phase {
                    case .joining: "joining"
                    case .restoring: "restoring"
                    case .working: "working"
                    case .standingBy: "standing by"
                    case .failing: "failing"
                    case .left: "left"
                    case nil: nil
                    }
                if let name, state.seen.last != name { state.seen.append(name) }
            }
        }

        /// Returns when the lane works.
        func works() async {
            while true {
                self.note()
                if self.seen.last == "working" { return }
                await Task.yield()
            }
        }
    }

    /// A clock on which no wait takes time; a lane waits after an error.
    private struct HastyClock: RuntimeClock {
        let diary: Diary

        var now: Timestamp { Timestamp(milliseconds: 0) }

        func sleep(for duration: Duration) async throws {
            self.diary.note()
            await Task.yield()
        }
    }

    /// A file without anything in it.
    private struct EmptySpill: StateSpill {
        let diary: Diary

        func positions() async throws -> [Int: KeptPartition] {
            self.diary.note()
            return [:]
        }

        func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws {}

        func load(_ users: [UserID], waiting: [UserID: [StateName]], partition: Int) async throws -> [SpilledEntry] {
            []
        }

        func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry] { [] }

        func drop(partition: Int) async throws {}

        func close() async {}

        func close(keeping positions: [Int: KeptPartition]) async throws {}
    }

    private let log = InMemoryLog()
    private let diary = Diary()

    private func lane() async throws -> StageLane {
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: self.log)
        let environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([IntentExtension("Tests") { [IntentRegistration { GreetHandler() }] }]),
            deployment: deployment.id,
            prefix: deployment.prefix,
            partitions: deployment.partitions,
            worker: "w-0",
            clock: HastyClock(diary: self.diary)
        )
        let diary = self.diary
        let lane = StageLane(
            log: self.log,
            configuration: StageWorker.lane("w-0", of: .resolve, prefix: deployment.prefix),
            environment: environment,
            makeSpill: {
                diary.note()
                return EmptySpill(diary: diary)
            },
            logger: .tests(.critical)
        )
        diary.follow(lane)
        return lane
    }

    private static let group = StageWorker.group(.resolve, prefix: "intents")

    @Test("joining → restoring → working → left, when it is told to stop")
    func comesAndGoes() async throws {
        let lane = try await self.lane()
        let running = Task { try await lane.run() }
        await self.diary.works()
        lane.stop()
        try await running.value
        self.diary.note()
        #expect(self.diary.seen == ["joining", "restoring", "working", "left"])
    }

    @Test("working → failing → joining → restoring → working: after an error of the log it begins anew")
    func beginsAnew() async throws {
        let lane = try await self.lane()
        let running = Task { try await lane.run() }
        await self.diary.works()
        self.log.fence(lane: "w-0", of: Self.group)
        while !self.diary.seen.contains("failing") { await Task.yield() }
        await self.diary.works()
        lane.stop()
        try await running.value
        self.diary.note()
        let once = ["joining", "restoring", "working"]
        #expect(self.diary.seen == once + ["failing"] + once + ["left"])
    }

    @Test("working → restoring → working: a group that assigns its partitions again has their state read again")
    func isAssignedAgain() async throws {
        let lane = try await self.lane()
        let running = Task { try await lane.run() }
        await self.diary.works()
        self.log.rebalance(Self.group)
        while self.diary.seen.count(where: { $0 == "restoring" }) < 2 { await Task.yield() }
        await self.diary.works()
        lane.stop()
        try await running.value
        self.diary.note()
        #expect(self.diary.seen == ["joining", "restoring", "working", "restoring", "working", "left"])
    }

    @Test("joining → left: a lane that was told to stop before it joined")
    func isStoppedAtOnce() async throws {
        let lane = try await self.lane()
        lane.stop()
        try await lane.run()
        self.diary.note()
        #expect(self.diary.seen == ["left"])
    }

    @Test("restoring → left: a lane that only an operator can help leaves with the error")
    func needsOperator() async throws {
        let lane = try await self.lane()
        try self.log.setPartitions(of: Topic.requests.name(prefix: "intents"), to: 3)
        let error = await #expect(throws: LogError.self) { try await lane.run() }
        #expect(error?.code == .topicsChanged)
        self.diary.note()
        #expect(self.diary.seen == ["joining", "left"], "It has not come as far as its file.")
    }
}
