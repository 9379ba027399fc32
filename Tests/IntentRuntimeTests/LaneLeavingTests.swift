import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import Logging
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R2, R6: what a lane commits, keeps and sends to its group when it leaves", .timeLimit(.minutes(1)))
struct LaneLeavingTests {
    /// A lane whose commits, and whose way to leave, can be seen.
    private final class SeenLane: ForwardingLane {
        let lane: any TransactionalLane
        private let seen: Seen

        init(_ lane: any TransactionalLane, _ seen: Seen) {
            self.lane = lane
            self.seen = seen
        }

        func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent] {
            self.seen.polled.yield()
            return try await self.lane.poll(maxRecords: maxRecords, timeout: timeout)
        }

        func positions() async -> [TopicPartition: Int64] { self.seen.positions }

        func commit(_ batch: LaneCommit) async throws(LogError) {
            self.seen.commits.withLock { $0.append(batch.offsets) }
            if let refusal = self.seen.refusal { throw refusal }
        }

        func close(_ departure: LaneDeparture) async {
            self.seen.departures.withLock { $0.append(departure) }
            await self.lane.close(departure)
        }
    }

    /// What such lanes have done, and what they are to say.
    private final class Seen: ForwardingLog {
        let log = InMemoryLog()
        let positions: [TopicPartition: Int64]
        let refusal: LogError?
        let commits = Mutex<[[TopicPartition: Int64]]>([])
        let departures = Mutex<[LaneDeparture]>([])
        let polls: AsyncStream<Void>
        let polled: AsyncStream<Void>.Continuation

        init(positions: [TopicPartition: Int64] = [:], refusal: LogError? = nil) {
            self.positions = positions
            self.refusal = refusal
            (self.polls, self.polled) = AsyncStream.makeStream()
        }

        func makeLane(_ configuration: LaneConfiguration) async throws(LogError) -> any TransactionalLane {
            SeenLane(try await self.log.makeLane(configuration), self)
        }
    }

    private static let configuration = StageWorker.lane("w-0", of: .resolve, prefix: "intents")

    private static func requests(_ partition: Int) -> TopicPartition { TopicPartition("intents.requests", partition) }

    private static func session(
        _ log: any EventLog,
        _ spill: MemorySpill,
        delivery: LaneConfiguration.Delivery = .exactlyOnce,
        settings: RuntimeSettings = RuntimeSettings()
    ) throws -> LaneSession {
        var configuration = Self.configuration
        configuration.delivery = delivery
        let environment = try StageEnvironment.tests(.resolve, settings: settings, partitions: 3)
        return LaneSession(
            log: log,
            configuration: configuration,
            environment: environment,
            spill: spill,
            health: LaneHealth(role: "resolve", lane: "w-0", clock: environment.clock),
            logger: .tests(.critical)
        )
    }

    private static func work(_ partition: Int, at offset: Int64?) -> PartitionWork {
        let work = PartitionWork(partition: partition, settings: RuntimeSettings(), isSaved: true)
        if let offset { work.positions[Self.requests(partition)] = offset }
        work.apply("entry", user: "u\(partition)", StateEntry(text: [1]))
        return work
    }

    /// Has a session leave that has read partitions 0 and 1, and nothing of 2; gives what it commits, and what its file
    /// counts as true afterwards.
    private static func leave(
        delivery: LaneConfiguration.Delivery = .exactlyOnce,
        refusal: LogError? = nil
    ) async throws -> (commits: [[TopicPartition: Int64]], kept: [Int: Int64]) {
        // In partition 0, markers are behind the last record.
        let seen = Seen(positions: [Self.requests(0): 9, Self.requests(1): 5], refusal: refusal)
        _ = try await Deployment.create(TopicPlan(partitions: 3), on: seen.log)
        let spill = MemorySpill()
        let session = try Self.session(seen, spill, delivery: delivery)
        session.partitions = [0: Self.work(0, at: 5), 1: Self.work(1, at: 5), 2: Self.work(2, at: nil)]
        await session.leave(try await seen.makeLane(Self.configuration))
        #expect(session.partitions.isEmpty)
        return (seen.commits.withLock(\.self), try await spill.positions().mapValues(\.position))
    }

    @Test("It commits the offsets of all that it has read, markers too, and then its file counts as true for that")
    func commitsAndKeeps() async throws {
        let (commits, kept) = try await Self.leave()
        #expect(commits == [[Self.requests(0): 9, Self.requests(1): 5]])
        #expect(kept == [0: 1, 1: 0], "Up to the end of the topic, which holds the deployment's id in partition 0.")
    }

    @Test("Without proof that no other lane has written, the file names no offset")
    func keepsNothingUnproved() async throws {
        let refused = try await Self.leave(refusal: LogError(.fenced, "the partitions are somebody else's"))
        #expect(refused.commits.count == 1 && refused.kept.isEmpty)
        let unproved = try await Self.leave(delivery: .atLeastOnce)
        #expect(unproved.commits.isEmpty && unproved.kept.isEmpty)
    }

    @Test("A checkpoint says nothing of a partition that was given away since it began, although it has come back")
    func forgetsWhatItGaveAway() async throws {
        let spill = MemorySpill()
        var settings = RuntimeSettings()
        // A part has one entry then.
        settings.stateLag = 10
        let session = try Self.session(InMemoryLog(), spill, settings: settings)
        session.partitions = [0: Self.work(0, at: 5), 1: Self.work(1, at: 5)]
        session.checkpoint.begin(ends: [0: 42, 1: 43], at: .zero)
        let hasBegun = session.checkpoint.recordCommitted()
        #expect(hasBegun)
        for work in session.partitions.values { work.unsaved?.makeDue() }
        session.drop([1])
        session.partitions[1] = Self.work(1, at: 7)
        while session.checkpoint.isWriting { try await session.save() }
        #expect(try await spill.positions().mapValues(\.position) == [0: 42])
    }

    @Test(
        "It leaves its group for good, or to return, as requested",
        arguments: [LaneDeparture.remainInGroup, .leaveGroup]
    )
    func leavesAsItWasTold(departure: LaneDeparture) async throws {
        let seen = Seen()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 3), on: seen.log)
        let lane = StageLane(
            log: seen,
            configuration: Self.configuration,
            environment: StageEnvironment(
                stage: .resolve,
                registry: try IntentRegistry([IntentExtension("Tests") { [IntentRegistration { GreetHandler() }] }]),
                deployment: deployment.id,
                prefix: deployment.prefix,
                partitions: deployment.partitions,
                worker: "w-0"
            ),
            logger: .tests(.critical)
        )
        let running = Task { try await lane.run() }
        for await _ in seen.polls { break }
        lane.stop(departure)
        try await running.value
        #expect(seen.departures.withLock(\.self) == [departure])
    }
}
