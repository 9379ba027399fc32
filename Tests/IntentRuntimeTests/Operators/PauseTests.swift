import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R82: pauses")
struct PauseTests {
    /// The attempts of the handler, by the name that is greeted.
    private final class Calls: Sendable {
        let names = Mutex<[String]>([])

        var all: [String] { self.names.withLock(\.self) }
    }

    private struct Handler: IntentHandler {
        let calls: Calls

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                self.calls.names.withLock { $0.append("\(intent.name ?? "") \(context.attempt)") }
                return self.greeting(intent)
            }
        }
    }

    private let calls = Calls()
    private static let by = OperatorAct.Operator("ada", via: "terminal", reason: "maintenance")

    private func with(_ body: (Pipeline) async throws -> Void) async throws {
        let registrations = [IntentRegistration { Handler(calls: self.calls) }]
        var settings = RuntimeSettings()
        settings.formats.writes = 2
        try await Pipeline.with(registrations, settings: settings) { pipeline in
            try await body(pipeline)
            try await pipeline.settle()
            let results = try await pipeline.replayAll(registrations, settings: settings)
            let isMatch = results.allSatisfy { $0.isMatch }
            #expect(isMatch)
        }
    }

    private static func act(
        _ kind: OperatorAct.Kind,
        _ pipeline: Pipeline,
        _ target: Pause.Target = .intent("GreetIntent"),
        in stages: [Stage] = Stage.allCases
    ) async throws {
        var act = OperatorAct(kind, by: Self.by)
        act.target = target.description
        try await pipeline.write(act.records(for: stages, of: pipeline.deployment, now: pipeline.clock.now))
        try await pipeline.settle()
    }

    @Test("A pause is read as it was written, and its keeper is at home in each partition")
    func readsPauses() throws {
        for target in [Pause.Target.intent("a:b"), .app("Travel")] {
            let pause = Pause(target, id: "e1", since: StillTurn.start, by: "ada", reason: "why")
            #expect(Pause(json: pause.json) == pause && Pause.Target(target.description) == target)
        }
        for text in ["intent", "intent:", "service:x", ""] { #expect(Pause.Target(text) == nil) }
        for partition in 0..<8 {
            let keeper = Pause.keeper(ofPartition: partition, of: 8)
            #expect(HomePartition.of(user: keeper, count: 8) == partition)
        }
        #expect(Pause(.app("A"), id: "", since: StillTurn.start, by: "").holds("I", of: "A"))
        #expect(!Pause(.app("A"), id: "", since: StillTurn.start, by: "").holds("A", of: nil))
        #expect(!Pause(.intent("A"), id: "", since: StillTurn.start, by: "").holds("I", of: "A"))
    }

    @Test(
        "R82d: interactions are held in the paused stage, also by workers that start later, and continue once",
        arguments: Stage.allCases
    )
    func holdsInStage(_ stage: Stage) async throws {
        try await self.with { pipeline in
            try await Self.act(.pause, pipeline, in: [stage])
            for (user, id) in [("u1", "i1"), ("u2", "i2"), ("u3", "i3")] as [(UserID, InteractionID)] {
                if id == "i3" { await pipeline.restartWorkers() }
                try await pipeline.request("GreetIntent", ["name": .string(id.text)], user: user, subject: id)
                let response = try await pipeline.next(of: id)
                #expect(response.data["paused"]?["since"] != nil && response.data["terminal"] == false)
                #expect(response.data["phase"] == .string(stage.rawValue))
                #expect(response.data["dialog"]?.string?.contains("isn't possible right now") == true)
            }
            #expect(self.calls.all.isEmpty)
            try await Self.act(.resume, pipeline, in: [stage])
            for id in ["i1", "i2", "i3"] as [InteractionID] {
                #expect(try await pipeline.end(of: id).data["endReason"] == "nominal")
            }
            #expect(self.calls.all.sorted() == ["i1 1", "i2 1", "i3 1"])
        }
    }

    @Test("R82d: an app is paused, and another intent and another app are not")
    func holdsApp() async throws {
        try await self.with { pipeline in
            try await Self.act(.pause, pipeline, .app("Others"))
            try await Self.act(.pause, pipeline, .intent("OtherIntent"))
            try await pipeline.request("GreetIntent", ["name": "free"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            try await Self.act(.pause, pipeline, .app("Tests"))
            try await pipeline.request("GreetIntent", ["name": "held"], subject: "i2")
            #expect(try await pipeline.next(of: "i2").data["paused"] != nil)
            // Another pause that ends changes nothing.
            try await Self.act(.resume, pipeline, .app("Others"))
            try await pipeline.settle()
            #expect(self.calls.all == ["free 1"])
            try await Self.act(.resume, pipeline, .app("Tests"))
            #expect(try await pipeline.end(of: "i2").data["endReason"] == "nominal")
        }
    }

    @Test("R82e: a held interaction is cancelled by its user, and ends when its request expires")
    func endsWhileHeld() async throws {
        try await self.with { pipeline in
            try await Self.act(.pause, pipeline)
            try await pipeline.request("GreetIntent", ["name": "a"], subject: "i1")
            _ = try await pipeline.next(of: "i1")
            try await pipeline.act(.retry, on: "i1")
            let rejection = try await pipeline.next { $0.type == "event.rejected" }
            #expect(rejection.data["detail"]?.string?.contains("paused") == true)
            try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "abortedByUser")
            let expiresAt = JSONValue.string("\(pipeline.clock.now + 60_000)")
            try await pipeline.request("GreetIntent", ["name": "b"], subject: "i2", extra: ["expiresAt": expiresAt])
            _ = try await pipeline.next(of: "i2")
            pipeline.clock.advance(by: .seconds(61))
            #expect(try await pipeline.end(of: "i2").data["endReason"] == "timeout")
            #expect(self.calls.all.isEmpty)
        }
    }

    @Test("R82e: the end of a pause does not overtake the pause, where that waits for its turn")
    func endsInOrder() async throws {
        let start = StillTurn.start
        func act(_ kind: OperatorAct.Kind) -> StoredRecord {
            var act = OperatorAct(kind, by: Self.by)
            act.target = "intent:GreetIntent"
            let deployment = Deployment(id: "d", prefix: "intents", partitions: 1)
            let record = act.records(for: [.handle], of: deployment, now: start)[0]
            let offset: Int64 = kind == .pause ? 4 : 5
            let place = record.topicPartition
            let read = LogRecord(topicPartition: place, offset: offset, timestamp: 0, content: record.content)
            return StoredRecord(read, topic: .signals)
        }
        let keeper = Pause.keeper(ofPartition: 0, of: 1)
        let parked = ParkedTurn(event: act(.pause), interactionID: nil, startedAt: start, timeoutAt: start + 300_000)
        let table = StateTable()
        table.set(StateName.parked, user: keeper, entry: StateEntry(parked))
        let environment = try StageEnvironment.tests(.handle, clock: ManualClock(at: start))
        let outcome = await UserRun.outcome(of: [.event(TurnInput(act(.resume)))], user: keeper, table, in: environment)
        #expect(outcome.queue.count == 1)
        #expect(!outcome.writes.keys.contains(StateName.pause(.intent("GreetIntent"))))
    }

    @Test("R82e: the time of a pause does not count for the retry policy")
    func shiftsFirstTry() throws {
        var wait = HandleWait(
            .paused,
            at: StillTurn.start + 900_000,
            attempts: 2,
            firstTriedAt: StillTurn.start + 1_000,
            position: RecordPosition(.confirmed, 0, 4)
        )
        wait.heldAt = StillTurn.start + 5_000
        wait.pause = Pause(.intent("A"), id: "e1", since: StillTurn.start, by: "ada")
        #expect(HandleWait(json: wait.json) == wait)
        let after = wait.afterPause(at: StillTurn.start + 65_000)
        #expect(after.firstTriedAt == StillTurn.start + 61_000 && after.attempts == 2 && after.reason == .retry)
        #expect(after.pause == nil && after.heldAt == nil && after.wasHeld && !wait.wasHeld)
        var broken = wait.json.object ?? [:]
        broken["pause"] = nil
        #expect(HandleWait(json: .object(broken)) == nil)
    }
}
