import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import KafkaLog
import Logging
import Testing

/// A coordinator that never finishes a lane's last transaction.
@Suite("Transactional ids that another process holds", .timeLimit(.minutes(2)))
struct HeldTransactionTests {
    private static let partitions = 4
    /// In milliseconds; members hear of a change with a heartbeat, of which there are ten in this time.
    private static let session = 90_000
    private let lines = LogLines()

    private func worker(
        _ name: String,
        _ deployment: Deployment,
        _ log: KafkaLog,
        _ clock: ShiftedClock
    ) throws -> StageWorker {
        var wiring = StageWiring(deployment, on: log, registry: try IntentRegistry([]))
        wiring.name = name
        wiring.clock = clock
        wiring.logger = self.lines.logger()
        wiring.configure = { $0.sessionTimeout = Self.session }
        return wiring.worker(.resolve)
    }

    /// Waits until the group's members have this many partitions of the stage's input.
    private func wait(_ log: KafkaLog, _ group: GroupName, for wanted: [String: Int]) async throws {
        let requests = Topic.requests.name(prefix: "intents")
        try await eventually {
            let members = try await log.members(of: group)
            let counts = members.map { member in (member.name, member.partitions.count { $0.topic == requests }) }
            return Dictionary(counts, uniquingKeysWith: +) == wanted
        }
    }

    @Test("The lane leaves its group at once, logs once a minute which id is held, and works when it is free again")
    func laneWithHeldTransactionalIDLeavesAndReturns() async throws {
        try await FaultyProxy.withBroker(self.lines) { log, proxy in
            let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
            let clock = ShiftedClock()
            let group = Stage.resolve.group(prefix: deployment.prefix)
            let other = try self.worker("b", deployment, log, clock)
            async let othersEnd: Void = other.run()
            let first = try self.worker("a", deployment, log, clock)
            async let firstEnd: Void = first.run()
            try await self.wait(log, group, for: ["a-0": 2, "b-0": 2])
            first.stop()
            try await firstEnd
            let stopped = ContinuousClock.now

            proxy.hold(["\(group)/a-0"])
            let held = try self.worker("a", deployment, log, clock)
            async let heldEnd: Void = held.run()
            let line = try await self.lines.next(.warning, "Restarting lane")
            #expect(line.metadata["error.message"]?.contains("release the transactional id '\(group)/a-0'") == true)
            try await self.wait(log, group, for: ["b-0": 4])
            // Long before the group would have found out by itself.
            #expect(stopped.duration(to: .now) < .milliseconds(Self.session * 8 / 10))
            // Its next failures are no more lines, until a minute has passed.
            _ = try await self.lines.next(.debug, "Restarting lane")
            #expect(self.lines.all.count { $0.level >= .warning } == 1)
            clock.advance(by: .seconds(60))
            _ = try await self.lines.next(.warning, "Restarting lane", count: 2)

            proxy.hold([])
            try await self.wait(log, group, for: ["a-0": 2, "b-0": 2])
            for worker in [held, other] { worker.stop() }
            _ = try await (heldEnd, othersEnd)
        }
    }
}
