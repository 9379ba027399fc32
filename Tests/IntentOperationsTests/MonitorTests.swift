import InMemoryLog
import IntentEvents
import IntentLab
import IntentRuntime
import Logging
import NIOHTTP1
import Synchronization
import Testing

@testable import IntentOperations

@Suite("R62: what a process's health is made of")
struct MonitorTests {
    /// A clock that only the test advances.
    private final class StillClock: RuntimeClock {
        private let time = Mutex(Duration.seconds(1_000))

        var now: Timestamp { Timestamp(milliseconds: 0) }
        var uptime: Duration { self.time.withLock(\.self) }

        func sleep(for duration: Duration) async throws { self.advance(by: duration) }
        func advance(by duration: Duration) { self.time.withLock { $0 += duration } }
    }

    private static func monitor() async throws -> Monitor {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        return Monitor(
            factory: nil,
            probe: Probe(log: log, deployment: deployment, ledger: nil),
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("A lane that restores for longer than two minutes is alive; one that works and makes no round is not")
    func restoringLaneIsAlive() async throws {
        let clock = StillClock()
        let health = LaneHealth(role: "resolve", lane: "w-0", clock: clock)
        let monitor = try await Self.monitor()
        monitor.watch([health])
        let live = try #require(monitor.pages["/livez"])
        for phase in [LaneHealth.Phase.restoring, .failing("the broker has gone"), .standingBy] {
            health.enter(phase)
            clock.advance(by: .seconds(3_600))
            #expect(await live().status == .ok, "\(phase)")
        }
        health.enter(.working)
        clock.advance(by: Monitor.stuckAfter)
        #expect(await live().status == .ok)
        clock.advance(by: .milliseconds(1))
        let stuck = await live()
        #expect(stuck.status == .serviceUnavailable)
        #expect(stuck.text.contains("resolve w-0: has not gone round its loop for 120 s"))
    }

    @Test("An answer of the broker is good for 15 s, and no longer")
    func oldAnswerIsNotReady() async throws {
        let monitor = try await Self.monitor()
        #expect(monitor.ready(at: .now).status == .serviceUnavailable)
        await monitor.look()
        let asked = ContinuousClock.now
        #expect(monitor.ready(at: asked).status == .ok)
        #expect(monitor.ready(at: asked).text.contains("ok: broker: answers"))
        let later = monitor.ready(at: asked + Monitor.trust + .milliseconds(1))
        #expect(later.status == .serviceUnavailable)
        #expect(later.text.contains("NOT OK: broker: has not answered lately"))
    }
}
