import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import LocalHTTP
import Logging
import PrometheusMetrics
import Testing

@testable import IntentOperations

@Suite("R62: health of a process")
struct MonitorTests {
    private static func monitor(_ ledger: (any LedgerStore)? = nil) async throws -> Monitor {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        return Monitor(
            factory: nil,
            probe: Probe(log: log, deployment: deployment, ledger: ledger),
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("A lane that restores for more than two minutes is alive; one that works and does not loop is not")
    func restoringLaneIsAlive() async throws {
        let clock = ManualClock()
        let health = LaneHealth(role: "resolve", lane: "w-0", clock: clock)
        let monitor = try await Self.monitor()
        monitor.watch([health])
        let live = try #require(monitor.pages["/livez"])
        for phase in [LaneHealth.Phase.restoring, .failing("the broker has gone"), .standby] {
            health.enter(phase)
            clock.advance(by: .seconds(3_600))
            #expect(await live().status == 200, "\(phase)")
        }
        health.enter(.working)
        clock.advance(by: Monitor.stuckAfter)
        #expect(await live().status == 200)
        clock.advance(by: .milliseconds(1))
        let stuck = await live()
        #expect(stuck.status == 503)
        #expect(stuck.text?.contains("resolve w-0: has made no progress in its loop for 120 s") == true)
    }

    @Test("A broker's answer counts for 15 s, and no longer")
    func oldBrokerAnswerIsNotReady() async throws {
        let monitor = try await Self.monitor()
        #expect(monitor.ready(at: .now).status == 503)
        await monitor.poll()
        let asked = ContinuousClock.now
        #expect(monitor.ready(at: asked).status == 200)
        #expect(monitor.ready(at: asked).text?.contains("ok: broker: answers") == true)
        let later = monitor.ready(at: asked + Monitor.maximumProbeAge + .milliseconds(1))
        #expect(later.status == 503)
        #expect(later.text?.contains("NOT OK: broker: has not answered for 12 s") == true)
    }

    @Test("With the broker away no lane is ready, not even one that is on standby")
    func lostBrokerStopsLanes() async throws {
        let health = LaneHealth(role: "handle", lane: "w-0", clock: ManualClock())
        health.enter(.working)
        let monitor = try await Self.monitor()
        monitor.watch([health])
        #expect(monitor.ready(at: .now).text?.contains("ok: handle w-0: is on standby") == true)
        await monitor.poll()
        let asked = ContinuousClock.now
        #expect(monitor.ready(at: asked + Monitor.maximumProbeAge - .seconds(1)).status == 200)
        let text = try #require(monitor.ready(at: asked + Monitor.maximumProbeAge + .seconds(1)).text)
        #expect(text.contains("NOT OK: handle w-0: cannot work: the broker has not answered for 1"))
        #expect(!text.contains("\nok: handle"))
    }

    @Test("R82f: each pause has one line, which is healthy and names its stages, until no lane has it")
    func listsPauses() async throws {
        let monitor = try await Self.monitor()
        await monitor.poll()
        let lanes = ["handle", "resolve", "handle"].map { LaneHealth(role: $0, lane: "w-0", clock: ManualClock()) }
        monitor.watch(lanes)
        let since = Timestamp(milliseconds: 1_790_000_000_000)
        let pause = Pause(.intent("Book"), id: "e1", since: since, by: "ada", reason: "a\nb")
        for lane in lanes {
            lane.enter(.working)
            lane.set(pauses: [pause])
        }
        lanes[0].set(pauses: [pause, Pause(.app("Travel"), id: "e2", since: since, by: "ben")])
        func lines() throws -> [Substring] {
            try #require(monitor.ready(at: .now).text).split(separator: "\n").filter { $0.contains(" is paused ") }
        }
        let found = try lines()
        #expect(found.count == 2 && monitor.ready(at: .now).status == 200)
        #expect(found.first == "ok: pause: app:Travel is paused in handle since \(since) by ben")
        let text = "intent:Book is paused in resolve, handle since \(since) by ada: a"
        #expect(found.last?.hasPrefix("ok: pause: \(text)") == true)
        #expect(found.last.flatMap { ProcessHealth.pause(in: String($0)) }?.hasPrefix(text) == true)
        for lane in lanes { lane.enter(.restoring) }
        #expect(try lines().isEmpty)
    }

    @Test("The lag of a group is removed when it is too old, and comes back with the next answer; its age stays")
    func staleGroupsAreRemoved() async throws {
        let monitor = try await Self.monitor()
        monitor.watch(groupsOf: WorkerRole.allCases)
        await monitor.poll()
        func lines() throws -> [String] {
            try #require(monitor.registry?.text()).split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("intentd_consumer_") }
        }
        let series = try lines()
        // Every group of the deployment, whatever roles this process runs.
        for role in WorkerRole.allCases {
            for topic in role.topics {
                let labels =
                    #"{messaging_consumer_group_name="intents.\#(role.rawValue)","#
                    + #"messaging_destination_name="\#(topic.name(prefix: "intents"))"}"#
                #expect(series.contains("intentd_consumer_lag\(labels) 0"), "\(labels)")
            }
        }
        #expect(series.contains { $0.hasPrefix("intentd_consumer_age_seconds ") })
        monitor.updateGroupGauges(at: .now + Monitor.maximumProbeAge + .seconds(1))
        #expect(try lines().map { $0.prefix { $0 != " " } } == ["intentd_consumer_age_seconds"])
        await monitor.poll()
        #expect(try lines().count == series.count)
    }

    @Test("A store that hangs does not keep the broker from being checked, nor the other way round")
    func checksAreIndependent() async throws {
        let gate = Gate()
        let store = TriedStore { _ in await gate.wait() }
        let monitor = try await Self.monitor(store)
        let polling = Task { await monitor.poll() }
        try await eventually { monitor.ready(at: .now).text?.contains("ok: broker: answers") == true }
        #expect(monitor.ready(at: .now).text?.contains("NOT OK: store: not checked yet") == true)
        gate.open()
        await polling.value
    }

    @Test("A store counts as it was last tried, and each check tries it again; without one there is nothing to measure")
    func storeIsTriedAgain() async throws {
        let store = TriedStore { number in if number == 2 { throw StoreBusyError("the disk is full") } }
        let monitor = try await Self.monitor(store)
        for (number, answer) in [
            (1, "ok: store: accepts writes"), (2, "NOT OK: store: cannot write: "), (3, "ok: store: accepts writes"),
        ] {
            await monitor.poll()
            #expect(store.writes == number)
            let text = try #require(monitor.registry?.text())
            #expect(text.contains("\nintentd_store_answers \(number == 2 ? 0 : 1)\n"))
            #expect(text.contains("\nintentd_broker_answers 1\n"))
            #expect(monitor.ready(at: .now).text?.contains("\n\(answer)") == true)
        }
        let other = try await Self.monitor()
        await other.poll()
        #expect(other.registry?.text().contains("intentd_store_answers") == false)
    }

    @Test("What is measured of a lane is what it reports, in seconds")
    func laneFigures() async throws {
        let clock = ManualClock()
        let health = LaneHealth(role: "resolve", lane: "w-0", clock: clock)
        let monitor = try await Self.monitor()
        monitor.watch([health])
        let began = clock.uptime
        health.enter(.working)
        clock.advance(by: .seconds(1))
        health.recordRound(partitions: 2)
        let partitions = (0..<2).map { TopicPartition("intents.requests", $0) }
        health.set(
            stalled: [partitions[0]],
            notAdvancingSince: [partitions[0]: began + .seconds(2), partitions[1]: began + .milliseconds(500)]
        )
        health.set(parked: 7, since: began + .seconds(3))
        clock.advance(by: .seconds(4))
        let text = try #require(monitor.registry?.text())
        let figures = [
            ("lane_ready", "0"), ("lane_stalled", "1"), ("lane_stall_duration_seconds", "4.5"),
            // The former names of the last two.
            ("lane_standing", "1"), ("lane_standstill_seconds", "4.5"),
            ("lane_round_age_seconds", "4"), ("turns_parked_age_seconds", "2"),
        ]
        for (name, figure) in figures {
            let line = "\nintentd_\(name){lane=\"w-0\",role=\"resolve\"} \(figure)\n"
            #expect(text.contains(line), "\(line)\(text)")
        }
    }
}
