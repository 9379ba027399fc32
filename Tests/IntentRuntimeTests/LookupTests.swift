import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R76: a post is repeated only after a lookup of its outcome")
struct LookupTests {
    /// The service's answers to successive calls, and the calls that it got.
    final class Service: Sendable {
        enum Answer: String, Sendable {
            case done, notDone, unknown, refused
            /// It fails, and may have done the task.
            case breaks
            /// It does not answer.
            case hangs
        }

        private struct State {
            var answers: [Answer]
            var calls: [String] = []
            var tokens = 0
        }

        private let state: Mutex<State>

        /// Breaks when the answers are used up.
        init(_ answers: Answer...) { self.state = Mutex(State(answers: answers)) }

        var calls: [String] { self.state.withLock(\.calls) }

        func token() -> Int {
            self.state.withLock { state in
                state.tokens += 1
                return state.tokens
            }
        }

        func answer(_ call: String) -> Answer {
            self.state.withLock { state in
                state.calls.append(call)
                return state.answers.isEmpty ? .breaks : state.answers.removeFirst()
            }
        }
    }

    struct Refusal: Error {}

    /// Posts as a declared intent posts to its service.
    struct PostingHandler: IntentHandler {
        let service: Service

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                let own = try await context.run("service.post") { self.service.token() }
                let committed = try await context.step("service.post") { own }
                var call = committed == own ? "handle" : "lookup"
                while true {
                    let name = call
                    let text = try await context.run(name) { self.service.answer(name).rawValue }
                    switch Service.Answer(rawValue: text) {
                    case .done?: return self.greeting(intent)
                    case .notDone?: call = "handle"
                    case .refused?: throw Refusal()
                    case .breaks?: throw OpenOutcomeError(description: "broken", isTransient: true)
                    case .unknown?, nil: throw OpenOutcomeError(description: "not known", isTransient: false)
                    case .hangs?:
                        while true {
                            try Task.checkCancellation()
                            await Task.yield()
                        }
                    }
                }
            }
        }
    }

    static let policy = RetryPolicy(
        attempts: 3,
        first: .seconds(6),
        factor: 1,
        longest: .seconds(6),
        within: .seconds(3_600)
    )

    static func registration(
        _ service: Service,
        policy: RetryPolicy? = Self.policy,
        isMarked: Bool = true
    ) -> IntentRegistration {
        var registration = IntentRegistration(usesLedger: false, retry: policy) { PostingHandler(service: service) }
        if isMarked { registration.postMark = "service.post" }
        return registration
    }

    static var settings: RuntimeSettings {
        var settings = RuntimeSettings()
        settings.formats = RecordFormats(reads: 1...2, writes: 2)
        settings.inProgressAfter = .seconds(3_600)
        return settings
    }

    static func confirmed(_ change: (inout Interaction) -> Void = { _ in }) -> StoredRecord {
        var interaction = Interaction.greeting(["name": "Ada"])
        change(&interaction)
        let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
        return StillTurn.stored(.intentConfirmed, data, on: .confirmed)
    }

    /// Runs a turn of `handle` with the state that the turns before have written.
    static func run(
        _ input: TurnInput,
        _ registration: IntentRegistration,
        _ table: StateTable,
        at now: Timestamp = StillTurn.start,
        key: RedriveKey? = nil
    ) async throws -> TurnResult {
        let environment =
            try StageEnvironment.tests(
                .handle,
                [registration],
                settings: Self.settings,
                clock: ManualClock(at: now)
            )
            .with(redrive: .key(key))
        let turn = await Turn.run(input, in: environment, source: table.source(user: "u1"))
        let result = try #require(turn)
        for (name, entry) in result.writes { table.set(name, user: "u1", entry: entry) }
        return result
    }

    static func wait(_ table: StateTable) throws -> HandleWait {
        try #require(table.form(.interaction("0:7"), user: "u1", Interaction.self)?.waiting)
    }

    /// Runs the turn of the timer of the wait in the state.
    static func runTimer(_ registration: IntentRegistration, _ table: StateTable) async throws -> TurnResult {
        let wait = try Self.wait(table)
        let data: JSONValue = ["deadline": .string("\(wait.at)"), "user": ["id": "u1"], "what": "again"]
        let timer = StillTurn.stored(.timerFired, data, on: .signals, offset: 90)
        return try await Self.run(TurnInput(timer), registration, table, at: wait.at)
    }

    /// Parks the turn of an interaction that has committed a step.
    private static func park(_ step: String, in table: StateTable, _ change: (inout ParkedTurn) -> Void = { _ in }) {
        var parked = ParkedTurn(
            event: Self.confirmed(),
            interactionID: "i1",
            startedAt: StillTurn.start,
            timeoutAt: StillTurn.start + 5_000
        )
        parked.steps = [CommittedStep(name: step, ordinal: 0, value: 77)]
        change(&parked)
        table.set(.parked, user: "u1", entry: StateEntry(parked))
    }

    private static func cancellation() -> TurnInput {
        TurnInput(StillTurn.stored(.interactionCancelled, ["user": ["id": "u1"]], on: .requests, offset: 91))
    }

    /// The reason with which a turn rejects its event.
    static func rejection(_ result: TurnResult) throws -> JSONValue? {
        try result.data(of: .eventRejected)?["reason"]
    }

    @Test("acting, no mark → the mark is committed, then it is posted")
    func firstPostIsMarked() async throws {
        let service = Service(.done)
        let result = try await Self.run(TurnInput(Self.confirmed()), Self.registration(service), StateTable())
        #expect(result.record.outcome == .ended && result.end?.reason == .nominal)
        #expect(service.calls == ["handle"])
        #expect(result.record.reads.map(\.kind) == [.run, .step, .run])
    }

    @Test("lookupDone: acting, marked → lookup is asked, and done is the answer of the post")
    func repeatAsksLookup() async throws {
        let (service, table) = (Service(.breaks, .done), StateTable())
        let registration = Self.registration(service)
        let first = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        #expect(first.record.outcome == .reported && first.end == nil)
        #expect(try Self.wait(table).reason == .retry)
        #expect(try Self.wait(table).steps.map(\.name) == ["service.post"])
        let second = try await Self.runTimer(registration, table)
        #expect(second.record.outcome == .ended && second.end?.reason == .nominal)
        #expect(service.calls == ["handle", "lookup"])
    }

    @Test("looked up, notDone → posted")
    func lookupNotDone() async throws {
        let (service, table) = (Service(.breaks, .notDone, .done), StateTable())
        let registration = Self.registration(service)
        _ = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        #expect(try await Self.runTimer(registration, table).end?.reason == .nominal)
        #expect(service.calls == ["handle", "lookup", "handle"])
    }

    @Test("looked up, unknown → waiting for an operator, and the user is notified once")
    func lookupUnknown() async throws {
        let (service, table) = (Service(.breaks, .unknown), StateTable())
        let registration = Self.registration(service)
        _ = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        let result = try await Self.runTimer(registration, table)
        #expect(result.record.outcome == .reported && result.end == nil && result.retryAt == nil)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["status"] == "inProgress" && response["terminal"] == false)
        #expect(response["dialog"]?.string?.contains("That is being checked") == true)
        #expect(response["retryUntil"] == nil)
        let wait = try Self.wait(table)
        #expect(wait.reason == .operator && wait.at == StillTurn.start + Self.settings.parkedMaxAge.milliseconds)
        #expect(wait.attempts == 2 && wait.steps.map(\.name) == ["service.post"])
        #expect(wait.position == Self.confirmed().position)
        #expect(service.calls == ["handle", "lookup"])
    }

    @Test("acting, no try is left and the outcome is open → waiting for an operator; refused → ended with error")
    func lastTryLeavesItOpen() async throws {
        let (service, table) = (Service(), StateTable())
        let registration = Self.registration(service)
        _ = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        _ = try await Self.runTimer(registration, table)
        let last = try await Self.runTimer(registration, table)
        #expect(last.end == nil && last.failure?.isFinal == true)
        #expect(try Self.wait(table).reason == .operator)
        #expect(service.calls == ["handle", "lookup", "lookup"])
        let refusing = Self.registration(Service(.refused))
        let refused = try await Self.run(TurnInput(Self.confirmed()), refusing, StateTable())
        #expect(refused.end?.reason == .error)
    }

    @Test("waiting for an operator, 7 d → ended with error: effects are incomplete, and nothing was posted")
    func nobodyDecides() async throws {
        let (service, table) = (Service(.unknown), StateTable())
        let registration = Self.registration(service)
        _ = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        let result = try await Self.runTimer(registration, table)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["effectsIncomplete"] == true && response["terminal"] == true)
        #expect(response["dialog"]?.string?.contains("I couldn't find out") == true)
        #expect(result.outputs.contains { if case .deadLetter = $0 { true } else { false } })
        #expect(service.calls == ["handle"])
    }

    @Test(
        "waiting or parked, marked, cancelled → rejected as late",
        arguments: ["breaks", "unknown", nil] as [String?]
    )
    func cancellationIsLate(answer: String?) async throws {
        let table = StateTable()
        let service = Service(answer.flatMap(Service.Answer.init(rawValue:)) ?? .done)
        let registration = Self.registration(service)
        if answer == nil {
            Self.park("service.post", in: table)
        } else {
            _ = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        }
        let result = try await Self.run(Self.cancellation(), registration, table)
        #expect(result.record.outcome == .rejected && !result.endsParked)
        #expect(try Self.rejection(result) == "late")
        #expect(result.writes.isEmpty)
    }

    @Test("parked or waiting, without the mark, cancelled → ended", arguments: [true, false])
    func cancellationWithoutMarkEnds(isParked: Bool) async throws {
        let (service, table) = (Service(.breaks), StateTable())
        let registration = Self.registration(service, isMarked: isParked)
        if isParked {
            Self.park("another", in: table)
        } else {
            _ = try await Self.run(TurnInput(Self.confirmed()), registration, table)
        }
        let result = try await Self.run(Self.cancellation(), registration, table)
        #expect(result.end?.reason == .abortedByUser)
    }

    /// The timer of the time limit of the parked turn.
    private static func timeout() -> TurnInput {
        let data: JSONValue = [
            "attempt": 1, "deadline": .string("\(StillTurn.start + 5_000)"),
            "position": .string("\(Self.confirmed().position)"), "user": ["id": "u1"], "what": "timeout",
        ]
        return TurnInput(StillTurn.stored(.timerFired, data, on: .signals, offset: 92))
    }

    @Test("parked, marked, time limit → waiting for a lookup; the user is notified, and the next try looks it up")
    func timeoutLooksUp() async throws {
        let (service, table) = (Service(.unknown), StateTable())
        let registration = Self.registration(service)
        Self.park("service.post", in: table)
        let limit = StillTurn.start + 5_000
        let result = try await Self.run(Self.timeout(), registration, table, at: limit)
        #expect(result.end == nil && result.endsParked && table.entry(.parked, user: "u1") == nil)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["dialog"]?.string?.contains("That is being checked") == true)
        let wait = try Self.wait(table)
        #expect(wait.reason == .lookup && wait.at == limit + 6_000 && wait.attempts == 1)
        #expect(wait.position == Self.confirmed().position && wait.firstTriedAt == StillTurn.start)
        let again = try await Self.runTimer(registration, table)
        #expect(service.calls == ["lookup"])
        // The user was notified before.
        #expect(again.record.outcome == .noted && again.outputs.isEmpty)
        #expect(try Self.wait(table).reason == .operator)
    }

    @Test("parked, time limit: without the mark → ended; marked, without a further try → waiting for an operator")
    func otherTimeouts() async throws {
        let (service, table) = (Service(), StateTable())
        let limit = StillTurn.start + 5_000
        Self.park("another", in: table)
        let unmarked = try await Self.run(Self.timeout(), Self.registration(service), table, at: limit)
        #expect(unmarked.end?.reason == .timeout)
        let once = RetryPolicy(attempts: 1, first: .seconds(1), longest: .seconds(1))
        for policy in [once, RetryPolicy(first: .seconds(1), within: .seconds(5))] {
            let table = StateTable()
            Self.park("service.post", in: table)
            let result = try await Self.run(
                Self.timeout(),
                Self.registration(service, policy: policy),
                table,
                at: limit
            )
            #expect(result.end == nil && result.record.outcome == .reported)
            #expect(try Self.wait(table).reason == .operator)
        }
        #expect(service.calls.isEmpty)
    }

    @Test("waiting, marked, the request expires → waiting for an operator, nothing is posted")
    func expiryLeavesItOpen() async throws {
        let (service, table) = (Service(.breaks), StateTable())
        let registration = Self.registration(service)
        let confirmed = Self.confirmed { $0.expiresAt = StillTurn.start + 2_000 }
        _ = try await Self.run(TurnInput(confirmed), registration, table)
        let result = try await Self.runTimer(registration, table)
        #expect(result.end == nil && result.record.outcome == .reported)
        #expect(try Self.wait(table).reason == .operator)
        #expect(try Self.wait(table).attempts == 1)
        #expect(service.calls == ["handle"])
    }

    @Test("running, marked, its processes died → waiting for an operator, without foreign code")
    func condemnedTurnLeavesItOpen() async throws {
        let (service, table) = (Service(), StateTable())
        Self.park("service.post", in: table)
        let input = TurnInput(Self.confirmed(), crash: CrashVerdict(deaths: 3))
        let result = try await Self.run(input, Self.registration(service), table)
        #expect(result.end == nil && result.record.outcome == .reported)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["status"] == "inProgress" && response["dialog"] == nil)
        #expect(try Self.wait(table).reason == .operator)
        #expect(try Self.wait(table).attempts == 1)
        let without = try await Self.run(input, Self.registration(service, isMarked: false), StateTable())
        #expect(without.end?.reason == .error)
    }

    @Test("The form in state: a wait for an operator is read, and one with an unknown reason is not")
    func reasonInState() throws {
        var wait = HandleWait(
            .operator,
            at: StillTurn.start + 5,
            attempts: 2,
            firstTriedAt: StillTurn.start,
            position: RecordPosition(.confirmed, 3, 4)
        )
        #expect(wait.json["reason"] == "operator" && HandleWait(json: wait.json) == wait)
        guard case .object(var members) = wait.json else { return }
        for other: JSONValue in ["waiting", 1] {
            members["reason"] = other
            #expect(HandleWait(json: .object(members)) == nil)
        }
        wait.reason = .retry
        #expect(wait.json["reason"] == nil && HandleWait(json: wait.json) == wait)
    }

    @Test("A process ends between the post and its answer: the next one asks lookup", .timeLimit(.minutes(1)))
    func processEndsBeforeTheAnswer() async throws {
        let service = Service(.hangs, .notDone, .done)
        let registrations = [Self.registration(service)]
        try await Pipeline.with(registrations, settings: Self.settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1")
            while service.calls != ["handle"] { await Task.yield() }
            await pipeline.restartWorkers()
            #expect(try await pipeline.end(of: "i1").data["status"] == "success")
            #expect(service.calls == ["handle", "lookup", "handle"])
            #expect(try await pipeline.replayAll(registrations).allSatisfy { $0.isMatch })
        }
    }
}
