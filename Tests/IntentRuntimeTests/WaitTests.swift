import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R76: an interaction waits by itself for a distant try")
struct WaitTests {
    /// What the handler does in its tries.
    private final class Tries: Sendable {
        private struct State {
            var attempts: [Int] = []
            var identifiers: [String] = []
            var steps = 0
        }

        private let state = Mutex(State())
        let failures: Int

        init(failures: Int) { self.failures = failures }

        var attempts: [Int] { self.state.withLock(\.attempts) }
        var identifiers: [String] { self.state.withLock(\.identifiers) }
        var steps: Int { self.state.withLock(\.steps) }

        func begin(_ attempt: Int, _ identifier: String) -> Bool {
            self.state.withLock { state in
                state.attempts.append(attempt)
                state.identifiers.append(identifier)
            }
            return attempt > self.failures
        }

        func step() -> Int {
            self.state.withLock { state in
                state.steps += 1
                return state.steps
            }
        }
    }

    private struct Hiccup: TransientError {
        var retryAfter: Duration?
    }

    /// Fails for the first few times, after a step where it is asked for one; `quick` never fails.
    private struct PatientHandler: IntentHandler {
        let tries: Tries
        var hasStep = false
        var retryAfter: Duration?

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                if intent.name == "quick" { return self.greeting(intent) }
                if self.hasStep { _ = try await context.step("first") { self.tries.step() } }
                guard self.tries.begin(context.attempt, context.makeIdentifier()) else {
                    throw Hiccup(retryAfter: self.retryAfter)
                }
                return self.greeting(intent)
            }
        }
    }

    private static let policy = RetryPolicy(
        attempts: 3,
        first: .seconds(6),
        factor: 1,
        longest: .seconds(6),
        within: .seconds(3_600)
    )

    private static func confirmed(_ change: (inout Interaction) -> Void = { _ in }) -> StoredRecord {
        var interaction = Interaction.greeting(["name": "Ada"])
        change(&interaction)
        let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
        return StillTurn.stored(.intentConfirmed, data, on: .confirmed)
    }

    /// Runs a turn of `handle` with the state that the turns before have written.
    private static func run(
        _ stored: StoredRecord,
        _ handler: PatientHandler,
        _ table: StateTable = StateTable(),
        policy: RetryPolicy? = Self.policy,
        format: Int = 2,
        at now: Timestamp = StillTurn.start,
        firstTriedAt: Timestamp? = nil,
        ledger: (any EffectLedger)? = nil
    ) async throws -> TurnResult {
        var settings = RuntimeSettings()
        settings.formats = RecordFormats(reads: 1...2, writes: format)
        let environment =
            try StageEnvironment.tests(
                .handle,
                [IntentRegistration(usesLedger: ledger != nil, retry: policy) { handler }],
                settings: settings,
                ledger: ledger,
                clock: ManualClock(at: now)
            )
            .with(behaviour: 7)
        let input = TurnInput(stored, firstTriedAt: firstTriedAt)
        let turn = await Turn.run(input, in: environment, source: table.source(user: "u1"))
        let result = try #require(turn)
        for (name, entry) in result.writes { table.set(name, user: "u1", entry: entry) }
        return result
    }

    /// The timer of the wait in the state.
    private static func timer(_ table: StateTable) throws -> (event: StoredRecord, wait: HandleWait) {
        let interaction = try #require(table.form(.interaction("0:7"), user: "u1", Interaction.self))
        let wait = try #require(interaction.waiting)
        let data: JSONValue = ["deadline": .string("\(wait.at)"), "user": ["id": "u1"], "what": "again"]
        return (StillTurn.stored(.timerFired, data, on: .signals, offset: 90), wait)
    }

    private static func cancellation() -> StoredRecord {
        StillTurn.stored(.interactionCancelled, ["user": ["id": "u1"]], on: .requests, offset: 91)
    }

    @Test("failed, the next try is less than 5 s away → parked, as without a policy")
    func shortRetryStaysParked() async throws {
        let handler = PatientHandler(tries: Tries(failures: 9))
        let short = RetryPolicy(attempts: 3, first: .seconds(4), longest: .seconds(4), within: .seconds(3_600))
        for (policy, format) in [(short, 2), (Self.policy, 1), (nil, 2)] as [(RetryPolicy?, Int)] {
            let result = try await Self.run(Self.confirmed(), handler, policy: policy, format: format)
            #expect(result.record.outcome == .parked && result.retryAt != nil)
            #expect(result.writes.isEmpty && result.outputs.isEmpty)
            // Whether it may wait depends on the setting: a replay finds it in the journal.
            #expect(result.neededFormat == 1 && result.journalFormat == format)
        }
        let done = try await Self.run(Self.confirmed(), PatientHandler(tries: Tries(failures: 0)))
        #expect(done.end?.reason == .nominal && done.journalFormat == 1)
    }

    @Test("failed, the next try is 5 s away or more → waiting, and the user is notified once")
    func longRetryWaits() async throws {
        let table = StateTable()
        let handler = PatientHandler(tries: Tries(failures: 9))
        let result = try await Self.run(Self.confirmed { $0.locale = "de" }, handler, table)
        #expect(result.record.outcome == .reported && result.retryAt == nil && result.end == nil)
        #expect(result.failure?.isFinal == false && result.failure?.retryAt != nil)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["status"] == "inProgress" && response["terminal"] == false)
        #expect(response["retryUntil"] == .string("\(StillTurn.start + 3_600_000)"))
        #expect(response["dialog"]?.string?.contains("Ich versuche es weiter") == true)
        let (timer, wait) = try Self.timer(table)
        #expect((3_000..<9_000).contains(wait.at.milliseconds) && wait.attempts == 1)
        #expect(wait.position == Self.confirmed().position && wait.firstTriedAt == StillTurn.start)
        let entry = try #require(table.entry(.interaction("0:7"), user: "u1"))
        let timers = PendingTimer.timers(in: entry, name: .interaction("0:7"), user: "u1")
        #expect(timers.map(\.kind) == [.again] && timers.map(\.deadline) == [wait.at])
        let again = try await Self.run(timer, handler, table, at: wait.at)
        #expect(again.record.outcome == .noted && again.outputs.isEmpty)
        #expect(try Self.timer(table).wait.attempts == 2)
        let asked = PatientHandler(tries: Tries(failures: 9), retryAfter: .seconds(5))
        let quick = RetryPolicy(attempts: 3, first: .seconds(1), longest: .seconds(60), within: .seconds(3_600))
        #expect(try await Self.run(Self.confirmed(), asked, policy: quick).record.outcome == .reported)
    }

    @Test("waiting, its timer → handled again, with the number of the try and the ids of the first turn")
    func waitEnds() async throws {
        let table = StateTable()
        let tries = Tries(failures: 2)
        let handler = PatientHandler(tries: tries)
        _ = try await Self.run(Self.confirmed(), handler, table)
        let (first, wait) = try Self.timer(table)
        _ = try await Self.run(first, handler, table, at: wait.at)
        let (second, next) = try Self.timer(table)
        #expect(next.firstTriedAt == StillTurn.start && next.position == wait.position)
        let result = try await Self.run(second, handler, table, at: next.at)
        #expect(result.record.outcome == .ended && result.end?.reason == .nominal)
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(tries.attempts == [1, 2, 3] && Set(tries.identifiers).count == 1)
    }

    @Test("R13: a try that has begun continues after the clock was set back; one that has not is put off")
    func begunTryContinues() async throws {
        for begun in [false, true] {
            let table = StateTable()
            let tries = Tries(failures: 1)
            let handler = PatientHandler(tries: tries)
            _ = try await Self.run(Self.confirmed(), handler, table)
            let (timer, wait) = try Self.timer(table)
            let result = try await Self.run(
                timer,
                handler,
                table,
                at: wait.at + -1_000,
                firstTriedAt: begun ? wait.at : nil
            )
            #expect(result.record.outcome == (begun ? .ended : .ignored))
            #expect(result.earlyTimers.isEmpty == begun && tries.attempts.count == (begun ? 2 : 1))
        }
    }

    @Test("waiting, cancelled: ended while no effect is made, else rejected as late", arguments: [false, true])
    func waitIsCancelled(hasEffect: Bool) async throws {
        let table = StateTable()
        let ledger = InMemoryLedger()
        let handler = PatientHandler(tries: Tries(failures: 9))
        _ = try await Self.run(Self.confirmed(), handler, table, ledger: ledger)
        if hasEffect {
            let key = EffectKey(
                request: "0:7",
                origin: "0:7",
                name: "book",
                ordinal: 0,
                identity: nil,
                originIdentity: nil
            )
            _ = try await ledger.perform(key) { _ in 1 }
        }
        let result = try await Self.run(Self.cancellation(), handler, table, ledger: ledger)
        if hasEffect {
            #expect(result.record.outcome == .rejected)
            #expect(try result.data(of: .eventRejected)?["reason"] == "late")
        } else {
            #expect(result.record.outcome == .ended && result.end?.reason == .abortedByUser)
            #expect(table.entry(.interaction("0:7"), user: "u1") == nil)
        }
    }

    @Test("failed, no try is left → ended with error: the dialog says that it was given up, and it is a dead letter")
    func waitIsUsedUp() async throws {
        let table = StateTable()
        let handler = PatientHandler(tries: Tries(failures: 9))
        _ = try await Self.run(Self.confirmed(), handler, table)
        for _ in 0..<2 {
            let (timer, wait) = try Self.timer(table)
            let result = try await Self.run(timer, handler, table, at: wait.at)
            guard wait.attempts == 2 else { continue }
            #expect(result.record.outcome == .ended && result.end?.reason == .error)
            let response = try #require(try result.data(of: .intentResponded))
            #expect(response["dialog"]?.string?.contains("I've tried several times") == true)
            #expect(result.outputs.contains { if case .deadLetter = $0 { true } else { false } })
        }
        #expect(table.entry(.interaction("0:7"), user: "u1") == nil)
        #expect(handler.tries.attempts == [1, 2, 3])
    }

    @Test("waiting, the request expires before the next try → ended with timeout, without another try")
    func waitOfExpired() async throws {
        let table = StateTable()
        let handler = PatientHandler(tries: Tries(failures: 9))
        let confirmed = Self.confirmed { $0.expiresAt = StillTurn.start + 2_000 }
        let notice = try await Self.run(confirmed, handler, table)
        #expect(try notice.data(of: .intentResponded)?["retryUntil"] == .string("\(StillTurn.start + 2_000)"))
        let (timer, wait) = try Self.timer(table)
        #expect(wait.at == StillTurn.start + 2_000)
        let result = try await Self.run(timer, handler, table, at: wait.at)
        #expect(result.record.outcome == .ended && result.end?.reason == .timeout)
        #expect(handler.tries.attempts == [1])
    }

    @Test("The form in state: a wait that cannot be read makes the entry unreadable")
    func unreadableWaitIsNoWait() throws {
        var wait = HandleWait(
            at: StillTurn.start + 5,
            attempts: 2,
            firstTriedAt: StillTurn.start,
            position: RecordPosition(.confirmed, 3, 4)
        )
        wait.steps = [CommittedStep(name: "a", ordinal: 1, value: ["b": 1])]
        var interaction = Interaction.greeting()
        interaction.waiting = wait
        #expect(Interaction(json: try JSONValue(parsing: interaction.utf8)) == interaction)
        #expect(interaction.format == 2 && Interaction.greeting().format == 1)
        for broken: JSONValue in [1, [:], ["at": 1, "attempts": 1, "firstTriedAt": 1, "position": "x"]] {
            guard case .object(var members) = interaction.json else { return }
            members["waiting"] = broken
            #expect(Interaction(json: .object(members)) == nil)
        }
    }

    /// The number of committed tries of the waiting interaction.
    private static func attempts(_ pipeline: Pipeline) async throws -> Int? {
        let entry = try await pipeline.records(of: .state)
            .last { $0.key.flatMap(StateKey.init)?.name.hasPrefix(StateName.interactions) ?? false }
        return try entry?.value.flatMap { Interaction(json: try JSONValue(parsing: $0)) }?.waiting?.attempts
    }

    @Test("Others are not blocked; the user is notified once and at the end; a step is done once; all turns replay")
    func othersAreNotBlocked() async throws {
        let tries = Tries(failures: 2)
        let handler = PatientHandler(tries: tries, hasStep: true)
        let registrations = [IntentRegistration(usesLedger: false, retry: Self.policy) { handler }]
        var settings = RuntimeSettings()
        settings.formats = RecordFormats(reads: 1...2, writes: 2)
        settings.inProgressAfter = .seconds(3_600)
        try await Pipeline.with(registrations, settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Ada"], subject: "i1")
            let notice = try await pipeline.next(of: "i1")
            #expect(notice.data["status"] == "inProgress" && notice.data["retryUntil"] != nil)
            try await pipeline.request("GreetIntent", ["name": "quick"], subject: "i2")
            #expect(try await pipeline.end(of: "i2").data["status"] == "success")
            pipeline.clock.advance(by: .seconds(10))
            while try await Self.attempts(pipeline) != 2 { await Task.yield() }
            await pipeline.restartWorkers(after: .seconds(10))
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["terminal"] == true && response.data["status"] == "success")
            #expect(tries.attempts == [1, 2, 3] && tries.steps == 1)
            #expect(try await pipeline.replayAll(registrations).allSatisfy { $0.isMatch })
        }
    }
}
