import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R74: a committed step is not done again")
struct StepTests {
    /// What the handlers do outside.
    private final class World: Sendable {
        private struct State {
            var done: [String] = []
            var mayPass = false
        }

        private let state = Mutex(State())

        var done: [String] { self.state.withLock(\.done) }
        var mayPass: Bool { self.state.withLock(\.mayPass) }

        func act(_ name: String) -> Int {
            self.state.withLock { state in
                state.done.append(name)
                return state.done.count
            }
        }

        func letPass() { self.state.withLock { $0.mayPass = true } }
    }

    /// Does three steps, two of them with the same name.
    ///
    /// It waits after the first until the test continues it, or fails there in the first attempt.
    private struct SteppingHandler: IntentHandler {
        let world: World
        var failsOnce = false

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                let first = try await context.step("first") { self.world.act("first") }
                if self.failsOnce, context.attempt == 1 { throw FailingHandler.Hiccup() }
                while !self.world.mayPass {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                // A worker that was stopped meanwhile does nothing more.
                try Task.checkCancellation()
                let second = try await context.step("more") { self.world.act("second") }
                let third = try await context.step("more") { self.world.act("third") }
                try await context.step("nothing") { _ = self.world.act("fourth") }
                var response = self.greeting(intent)
                response.details["steps"] = .array([first, second, third].map { .integer(Int64($0)) })
                return response
            }
        }
    }

    private static var settings: RuntimeSettings {
        var settings = RuntimeSettings()
        settings.formats = RecordFormats(reads: 1...2, writes: 2)
        settings.inProgressAfter = .seconds(3_600)
        return settings
    }

    private static func run(
        _ world: World,
        failsOnce: Bool = false,
        _ body: (Pipeline) async throws -> Void
    ) async throws {
        defer { world.letPass() }
        let handler = SteppingHandler(world: world, failsOnce: failsOnce)
        let registrations = [IntentRegistration(usesLedger: false) { handler }]
        try await Pipeline.with(registrations, settings: Self.settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1")
            try await body(pipeline)
            let response = try await pipeline.end(of: "i1")
            #expect(response.data["response"]?["steps"] == [1, 2, 3])
            #expect(world.done == ["first", "second", "third", "fourth"])
            let results = try await pipeline.replayAll(registrations)
            #expect(results.allSatisfy { $0.isMatch })
            let notes = results.compactMap(\.record).compactMap(\.note)
            #expect(
                notes == [
                    .step(CommittedStep(name: "first", ordinal: 0, value: 1)),
                    .step(CommittedStep(name: "more", ordinal: 0, value: 2)),
                    .step(CommittedStep(name: "more", ordinal: 1, value: 3)),
                    .step(CommittedStep(name: "nothing", ordinal: 0, value: .null)),
                ]
            )
            let last = try #require(results.compactMap(\.record).last { $0.outcome == .ended })
            #expect(last.reads.filter { $0.kind == .step }.map(\.name) == ["first", "more", "more", "nothing"])
        }
    }

    /// Waits until the parked turn has that many steps.
    private static func wait(_ pipeline: Pipeline, steps count: Int) async throws {
        while true {
            let parked = try await pipeline.records(of: .state)
                .last { $0.key.flatMap(StateKey.init)?.name == StateName.parked }
            let turn = try parked?.value.flatMap { ParkedTurn(json: try JSONValue(parsing: $0)) }
            if turn?.steps.count == count { return }
            await Task.yield()
        }
    }

    @Test("A result is committed before the next step begins, and outlives the process", .timeLimit(.minutes(1)))
    func stepRunsOnceAcrossCrashes() async throws {
        let world = World()
        try await Self.run(world) { pipeline in
            try await Self.wait(pipeline, steps: 1)
            #expect(world.done == ["first"])
            await pipeline.restartWorkers()
            world.letPass()
        }
    }

    @Test("A try after a transient error begins with the committed steps", .timeLimit(.minutes(1)))
    func stepRunsOnceAcrossTries() async throws {
        let world = World()
        world.letPass()
        try await Self.run(world, failsOnce: true) { _ in }
    }

    @Test("With format 1 a step fails, and says what to set")
    func stepNeedsFormat2() async throws {
        let world = World()
        world.letPass()
        let registrations = [IntentRegistration(usesLedger: false) { SteppingHandler(world: world) }]
        try await Pipeline.with(registrations) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "error")
            let letter = try #require(try await pipeline.records(of: .deadLetters).first)
            #expect(letter.header("intentd_detail")?.contains("set formats.write: 2") == true)
            #expect(world.done.isEmpty)
            #expect(try await pipeline.replayAll(registrations).allSatisfy { $0.isMatch })
        }
    }

    // MARK: Limits

    /// Commits each step at once.
    private final class Committer: NoteReceiver {
        func receive(_ note: TurnNote) -> Bool { true }

        func receive(_ note: TurnNote, _ commit: NoteCommit) { commit.end(.committed) }
    }

    private static func host(_ steps: [CommittedStep] = [], in stage: Stage = .handle) throws -> LiveTurnHost {
        LiveTurnHost(
            environment: try StageEnvironment.tests(stage, settings: Self.settings, clock: ManualClock()),
            identifiers: TurnIdentifiers(
                deployment: "d",
                stage: stage,
                position: RecordPosition(stage.inputTopic, 0, 1)
            ),
            attempt: 1,
            interaction: .greeting(),
            user: "u1",
            source: StateTable().source(user: "u1"),
            steps: steps,
            notes: Committer()
        )
    }

    private static func expectRefusal(_ text: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("It succeeds: \(text)")
        } catch {
            let refusal = error as? JournaledError
            #expect(refusal?.message.contains(text) == true && refusal?.isTransient == false, "\(error)")
        }
    }

    @Test("A step beyond a limit fails with an error that names the limit, and nothing is kept")
    func stepLimitNamesIt() async throws {
        let host = try Self.host()
        let large = String(repeating: "x", count: 60 * 1024)
        await Self.expectRefusal("more than 65536 bytes") {
            _ = try await host.step("large") { .string(large + large) }
        }
        for number in 0..<4 { _ = try await host.step("step \(number)") { .string(large) } }
        await Self.expectRefusal("larger than 262144 bytes") {
            _ = try await host.step("fifth") { .string(large) }
        }
        await Self.expectRefusal("more than 256 bytes") {
            _ = try await host.step(String(repeating: "n", count: 257)) { .null }
        }
        await Self.expectRefusal("nests deeper than 32 levels") {
            _ = try await host.step("deep") { (0..<40).reduce(JSONValue.null) { value, _ in JSONValue.array([value]) } }
        }
        for _ in 7..<100 { _ = try await host.step("small") { .null } }
        await Self.expectRefusal("100 at most") { _ = try await host.step("small") { .null } }
        await Self.expectRefusal("steps belong in handle") {
            _ = try await Self.host(in: .confirm).step("early") { .null }
        }
    }

    @Test("Kept results are returned by name and order, and count for the limits")
    func stepsOfOneNameAreDistinguishedByOrder() async throws {
        let large = JSONValue.string(String(repeating: "x", count: 60 * 1024))
        let kept = (0..<4).map { CommittedStep(name: "a", ordinal: $0, value: $0 == 1 ? "second" : large) }
        let host = try Self.host(kept)
        #expect(try await host.step("a") { "again" } == large)
        #expect(try await host.step("b") { "new" } == "new")
        #expect(try await host.step("a") { "again" } == "second")
        _ = try await host.step("c") { large }
        await Self.expectRefusal("larger than 262144 bytes") { _ = try await host.step("d") { large } }
        #expect(host.reads.map(\.kind) == Array(repeating: .step, count: 5))
    }

    @Test("A step whose closure fails is not kept: its error is journaled, and it may be done again")
    func failedStepIsNotKept() async throws {
        let host = try Self.host()
        await #expect(throws: JournaledError(message: "Hiccup()", isTransient: true)) {
            _ = try await host.step("a") { throw FailingHandler.Hiccup() }
        }
        #expect(try await host.step("a") { 1 } == 1)
    }

    @Test("A step of a lane that is discarded is cancelled; only the first end of a commit counts")
    func stepOfDiscardedLaneIsCancelled() async throws {
        let discarded = NoteCommit()
        let waiting = Task { try await discarded.value() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        discarded.end(.committed)
        await #expect(throws: CancellationError.self) { try await discarded.value() }
        let committed = NoteCommit()
        committed.end(.committed)
        committed.end(.dropped)
        try await committed.value()
        let late = NoteCommit()
        let other = Task { try await late.value() }
        late.end(.tooLarge)
        let error = await #expect(throws: JournaledError.self) { try await other.value }
        #expect(error?.message.contains("larger than the state accepts") == true)
    }
}
