import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R75: what an interaction has done is undone when it does not succeed")
struct UndoTransitionTests {
    private struct TripIntent: Intent {
        enum Code: String, IntentResponseCode {
            case ready, inProgress, success, failure, handleInApp
        }

        @Parameter var day: String?
    }

    private struct Hiccup: TransientError {}
    private struct Defect: Error {}

    /// Handles a trip as a test says; flight and hotel can be undone, and a note cannot.
    private struct TripHandler: IntentHandler {
        let handle: @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent>
        /// Undoes an effect, or throws.
        let undo: @Sendable (_ what: String, UndoContext) throws -> Void

        var handling: Handling<TripIntent> {
            Handle { try await self.handle($0, $1) }
            Undo("flight") { (number: Int, intent, context, store) in
                try self.undo("flight \(number) on \(intent.day ?? "")", context)
            }
            Undo(
                "hotel",
                calling: { (number: Int, intent, context) in
                    try self.undo("call \(number)", context)
                    return "receipt"
                },
                then: { (receipt: String, number: Int, intent, context, store) in
                    try self.undo("hotel \(number) \(receipt)", context)
                }
            )
        }
    }

    /// An interaction in `handle`, with its state and a ledger, turn by turn.
    private final class Trip {
        let ledger = InMemoryLedger()
        let calls = CallLog()
        var table = StateTable()
        var now = StillTurn.start
        var format = 2
        var behaviour = 6
        var retry: RetryPolicy?
        var handle: @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent>
        /// Throws in the undo of that name, before it is recorded.
        var refuse: @Sendable (_ what: String) throws -> Void = { _ in }
        var isRegistered = true
        private var offset: Int64 = 6

        init(
            _ handle: @escaping @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent> =
                UndoTransitionTests.bookAndFail
        ) {
            self.handle = handle
        }

        var interaction: Interaction? { self.table.form(.interaction("0:7"), user: "u1", Interaction.self) }

        func environment() throws -> StageEnvironment {
            var settings = RuntimeSettings()
            settings.formats = RecordFormats(reads: 1...2, writes: self.format)
            let (calls, refuse) = (self.calls, self.refuse)
            let handler = TripHandler(handle: self.handle) { what, _ in
                try refuse(what)
                calls.record(what)
            }
            let registrations = self.isRegistered ? [IntentRegistration(retry: self.retry) { handler }] : []
            return
                try StageEnvironment.tests(
                    .handle,
                    registrations,
                    settings: settings,
                    ledger: self.ledger,
                    clock: ManualClock(at: self.now)
                )
                .with(behaviour: self.behaviour)
        }

        /// Runs the turn of an event, and commits its state.
        @discardableResult
        func receive(
            _ type: EventType,
            _ data: JSONValue = ["user": ["id": "u1"]],
            on topic: Topic,
            crash: CrashVerdict? = nil
        ) async throws -> TurnResult {
            self.offset += 1
            let stored = StillTurn.stored(type, data, on: topic, offset: self.offset)
            let turn = await Turn.run(
                TurnInput(stored, crash: crash),
                in: try self.environment(),
                source: self.table.source(user: "u1")
            )
            let result = try #require(turn)
            for (name, entry) in result.writes { self.table.set(name, user: "u1", entry: entry) }
            return result
        }

        /// Receives the trip.
        @discardableResult
        func begin(
            crash: CrashVerdict? = nil,
            _ change: (inout Interaction) -> Void = { _ in }
        ) async throws -> TurnResult {
            var interaction = Interaction.greeting()
            interaction.intent = IntentSnapshot(name: "TripIntent", parameters: ["day": "Monday"])
            change(&interaction)
            return try await self.receive(
                .intentConfirmed,
                ["interaction": interaction.json, "user": ["id": "u1"]],
                on: .confirmed,
                crash: crash
            )
        }

        /// Fires the timer of the next undo, at its time.
        @discardableResult
        func undoNext(crash: CrashVerdict? = nil) async throws -> TurnResult {
            let undoing = try #require(self.interaction?.undoing)
            self.now = max(self.now, undoing.dueAt)
            let data: JSONValue = [
                "deadline": .string("\(undoing.dueAt)"), "user": ["id": "u1"], "what": "undo",
            ]
            return try await self.receive(.timerFired, data, on: .signals, crash: crash)
        }

        /// Undoes everything; gives the terminal response.
        func undoAll() async throws -> JSONValue {
            while self.interaction?.undoing != nil {
                let result = try await self.undoNext()
                if let response = try result.data(of: .intentResponded) { return response }
            }
            Issue.record("There was no response at the end.")
            return .null
        }

        /// Keeps a parked turn of the trip, as if its handler was still running.
        func park() {
            var interaction = Interaction.greeting()
            interaction.intent = IntentSnapshot(name: "TripIntent", parameters: ["day": "Monday"])
            let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
            let event = StillTurn.stored(.intentConfirmed, data, on: .confirmed)
            let parked = ParkedTurn(
                event: event,
                interactionID: "i1",
                startedAt: self.now,
                timeoutAt: self.now + 1_000
            )
            self.table.set(.parked, user: "u1", entry: StateEntry(parked))
        }

        /// Fires the time limit of the parked turn.
        func timeOut() async throws -> TurnResult {
            let parked = try #require(self.table.form(.parked, user: "u1", ParkedTurn.self))
            self.now = max(self.now, parked.timeoutAt)
            let data: JSONValue = [
                "attempt": .integer(Int64(parked.attempt)), "deadline": .string("\(parked.timeoutAt)"),
                "position": .string("\(parked.event.position)"), "user": ["id": "u1"], "what": "timeout",
            ]
            return try await self.receive(.timerFired, data, on: .signals)
        }

        /// Makes the trip's effects, as a handler that is still running would have.
        func bookInLedger(_ names: [String] = ["flight", "hotel"]) async throws {
            for (index, name) in names.enumerated() {
                let key = EffectKey(request: "0:7", name: name, ordinal: 0)
                _ = try await self.ledger.perform(key) { _ in .integer(Int64(index + 1)) }
            }
        }
    }

    private static func book(_ context: TurnContext) async throws {
        for (number, name) in ["flight", "hotel"].enumerated() { try await context.effect(name) { _ in number + 1 } }
    }

    private static func bookAndFail(
        _ intent: TripIntent,
        _ context: TurnContext
    ) async throws -> IntentResponse<TripIntent> {
        try await Self.book(context)
        return IntentResponse(code: .failure)
    }

    private static let everything = ["call 2", "hotel 2 receipt", "flight 1 on Monday"]

    @Test("endsWithCurrentEffects: the user is told, and the last effect is undone first, in turns of their own")
    func endsWithCurrentEffects() async throws {
        let trip = Trip()
        let begun = try await trip.begin { $0.locale = "de" }
        #expect(begun.record.outcome == .reported && begun.end == nil && begun.neededFormat == 2)
        let notice = try #require(try begun.data(of: .intentResponded))
        #expect(notice["terminal"] == false && notice["status"] == "inProgress")
        #expect(notice["undoing"] == ["hotel", "flight"] && notice["effects"] == ["flight", "hotel"])
        #expect(notice["dialog"]?.string?.contains("mache rückgängig") == true)
        let first = try #require(trip.interaction?.undoing)
        #expect(first.left.map(\.name) == ["hotel", "flight"] && first.reason == .failed)
        let entry = try #require(trip.table.entry(.interaction("0:7"), user: "u1"))
        let timers = PendingTimer.timers(in: entry, name: .interaction("0:7"), user: "u1")
        #expect(timers.map(\.kind) == [.undo] && timers.map(\.deadline) == [first.dueAt] && first.dueAt == trip.now)
        let turn = try await trip.undoNext()
        #expect(turn.record.outcome == .noted && turn.outputs.isEmpty)
        #expect(turn.record.reads.map(\.kind) == [.undo, .run, .undo])
        let second = try #require(trip.interaction?.undoing)
        #expect(second.done == ["hotel"] && second.left.map(\.name) == ["flight"] && second.dueAt > first.dueAt)
        let end = try await trip.undoNext()
        #expect(end.record.outcome == .ended && end.end?.reason == .failed)
        let response = try #require(try end.data(of: .intentResponded))
        #expect(response["code"] == "failure" && response["endReason"] == "failed")
        #expect(response["undone"] == ["hotel", "flight"] && response["undoFailed"] == nil)
        #expect(response["effects"] == [] && response["effectsIncomplete"] == nil)
        #expect(response["dialog"]?.string?.contains("ist rückgängig gemacht") == true)
        #expect(trip.calls.all == Self.everything)
        #expect(trip.interaction == nil && trip.ledger.closed == ["0:7"])
    }

    @Test("endsWithoutUndo: without a current effect that can be undone, the interaction ends at once")
    func endsWithoutUndo() async throws {
        for effects in [[], ["note"]] {
            let trip = Trip { _, context in
                for name in effects { try await context.effect(name) { _ in 1 } }
                return IntentResponse(code: .failure)
            }
            let result = try await trip.begin()
            #expect(result.record.outcome == .ended && trip.interaction == nil)
            let response = try #require(try result.data(of: .intentResponded))
            #expect(response["effects"] == .array(effects.map(JSONValue.string)) && response["undone"] == nil)
            #expect(trip.ledger.closed == ["0:7"])
        }
    }

    @Test("An effect without a part Undo stays, and is named")
    func othersStay() async throws {
        let trip = Trip { _, context in
            try await context.effect("note") { _ in 7 }
            try await Self.book(context)
            return IntentResponse(code: .failure)
        }
        try await trip.begin()
        let response = try await trip.undoAll()
        #expect(response["undone"] == ["hotel", "flight"] && response["effects"] == ["note"])
        #expect(response["undoFailed"] == nil)
    }

    @Test("A success undoes nothing, nor does what goes on in the app")
    func successUndoesNothing() async throws {
        for code in [TripIntent.Code.success, .handleInApp] {
            let trip = Trip { _, context in
                try await Self.book(context)
                return IntentResponse(code: code)
            }
            let result = try await trip.begin()
            #expect(trip.interaction?.undoing == nil && !result.record.reads.contains { $0.name == "fence" })
            #expect(trip.calls.all.isEmpty)
        }
    }

    @Test("eachEndReason, timeoutUndoes: the reason of the end is that of before", arguments: EndReason.allCases)
    func eachEndReason(_ reason: EndReason) async throws {
        let trip = Trip()
        switch reason {
        case .nominal, .declined, .unsupportedIntent, .notAuthorized, .invalidRequest:
            // They come before anything is done, or with a success.
            return
        case .failed: try await trip.begin()
        case .error:
            trip.handle = { _, context in
                try await Self.book(context)
                throw Defect()
            }
            let result = try await trip.begin()
            #expect(result.outputs.contains { if case .deadLetter = $0 { true } else { false } })
        case .timeout:
            trip.park()
            try await trip.bookInLedger()
            let result = try await trip.timeOut()
            #expect(result.endsParked && trip.table.entry(.parked, user: "u1") == nil)
        case .abortedByUser:
            trip.park()
            try await trip.bookInLedger()
            let result = try await trip.receive(.interactionCancelled, on: .requests)
            #expect(result.endsParked && result.record.outcome == .reported)
        case .tooManyAttempts:
            try await trip.bookInLedger()
            try await trip.begin { $0.turns = RuntimeSettings().maxTurns }
        }
        let response = try await trip.undoAll()
        #expect(response["endReason"] == .string(reason.rawValue) && response["undone"] == ["hotel", "flight"])
        #expect(trip.calls.all == Self.everything)
    }

    @Test("A failure that the app reports undoes what handle has done, and so does the app's silence")
    func appFails() async throws {
        for reports in [true, false] {
            let trip = Trip { _, context in
                try await Self.book(context)
                return IntentResponse(code: .handleInApp)
            }
            try await trip.begin()
            let deadline = try #require(trip.interaction?.appDeadline)
            if reports {
                try await trip.receive(
                    .appResponded,
                    ["code": "failure", "response": [:], "user": ["id": "u1"]],
                    on: .requests
                )
            } else {
                trip.now = deadline
                let timer: JSONValue = ["deadline": .string("\(deadline)"), "user": ["id": "u1"], "what": "app"]
                try await trip.receive(.timerFired, timer, on: .signals)
            }
            #expect(trip.interaction?.appDeadline == nil)
            let response = try await trip.undoAll()
            #expect(response["endReason"] == .string(reports ? "failed" : "timeout"))
            #expect(response["undone"] == ["hotel", "flight"])
        }
    }

    @Test("The verdict about a crash undoes what was done, without a handler in that turn")
    func condemnedIsUndone() async throws {
        let trip = Trip()
        try await trip.bookInLedger()
        let result = try await trip.begin(crash: CrashVerdict(deaths: 4, isUndecoded: false))
        #expect(result.outputs.contains { if case .deadLetter("crashed", _) = $0 { true } else { false } })
        #expect(result.record.handlerName == nil && trip.calls.all.isEmpty)
        let response = try await trip.undoAll()
        #expect(response["endReason"] == "error" && response["undone"] == ["hotel", "flight"])
    }

    @Test("cancelWithoutUndoIsLate: where one effect cannot be undone, the handler continues, and is not fenced")
    func cancelWithoutUndoIsLate() async throws {
        let trip = Trip()
        trip.park()
        try await trip.bookInLedger(["flight", "note"])
        let result = try await trip.receive(.interactionCancelled, on: .requests)
        #expect(try result.data(of: .eventRejected)?["reason"] == "late" && !result.endsParked)
        #expect(trip.interaction == nil && trip.table.entry(.parked, user: "u1") != nil)
        try await trip.bookInLedger(["hotel"])
        #expect(try await trip.ledger.effects(origin: "0:7") == ["flight", "note", "hotel"])
    }

    @Test(
        "R9: a turn that was lost after it had closed the ledger keeps no other one from ending the interaction",
        arguments: [[], ["flight", "hotel"]]
    )
    func endsAfterLostEnd(effects: [String]) async throws {
        for cancels in [false, true] {
            let trip = Trip()
            trip.park()
            try await trip.bookInLedger(effects)
            _ = try await trip.ledger.close(request: "0:7", unlessEffects: false)
            let result =
                cancels ? try await trip.receive(.interactionCancelled, on: .requests) : try await trip.timeOut()
            if cancels && !effects.isEmpty {
                #expect(try result.data(of: .eventRejected)?["reason"] == "late" && !result.endsParked)
                continue
            }
            #expect(result.endsParked && trip.table.entry(.parked, user: "u1") == nil)
            #expect(result.end?.reason == (cancels ? .abortedByUser : .timeout))
            let response = try #require(try result.data(of: .intentResponded))
            #expect(response["effects"] == .array(effects.map(JSONValue.string)) && response["undone"] == nil)
            #expect(trip.calls.all.isEmpty)
        }
    }

    @Test("cancelUndoes, cancelWhileUndoing: what waits for the app is undone, and ends abortedByUser; then it is late")
    func cancelUndoes() async throws {
        let trip = Trip { _, context in
            try await Self.book(context)
            return IntentResponse(code: .handleInApp)
        }
        try await trip.begin()
        try await trip.receive(.interactionCancelled, on: .requests)
        // Meanwhile it can be neither cancelled nor finished.
        let again = try await trip.receive(.interactionCancelled, on: .requests)
        #expect(try again.data(of: .eventRejected)?["reason"] == "late")
        let report: JSONValue = ["code": "success", "response": [:], "user": ["id": "u1"]]
        let late = try await trip.receive(.appResponded, report, on: .requests)
        #expect(try late.data(of: .eventRejected)?["reason"] == "late")
        #expect(try await trip.undoAll()["endReason"] == "abortedByUser")
    }

    @Test("undoIsTriedAgain: an error that may pass has the undo tried again, by the policy")
    func undoIsTriedAgain() async throws {
        let trip = Trip()
        let failures = Mutex(2)
        trip.retry = RetryPolicy(
            attempts: 3,
            first: .seconds(10),
            factor: 1,
            longest: .seconds(10),
            within: .seconds(60)
        )
        trip.refuse = { what in
            guard what.hasPrefix("flight") else { return }
            try failures.withLock { left in
                left -= 1
                if left >= 0 { throw Hiccup() }
            }
        }
        try await trip.begin()
        try await trip.undoNext()
        for attempt in 2...3 {
            let result = try await trip.undoNext()
            let undoing = try #require(trip.interaction?.undoing)
            #expect(undoing.attempt == attempt && undoing.left.map(\.name) == ["flight"])
            #expect((5_000..<15_000).contains(undoing.dueAt - trip.now))
            #expect(result.failure?.isFinal == false && result.failure?.retryAt == undoing.dueAt)
        }
        #expect(try await trip.undoAll()["undone"] == ["hotel", "flight"])
        #expect(trip.calls.all == Self.everything)
    }

    @Test("undoGivesUp: after the last try the effect is in undoFailed, and the next one is undone")
    func undoGivesUp() async throws {
        let trip = Trip()
        trip.retry = RetryPolicy(attempts: 2, first: .seconds(1), longest: .seconds(1), within: .seconds(60))
        trip.refuse = { if $0.hasPrefix("hotel") { throw Hiccup() } }
        try await trip.begin()
        let response = try await trip.undoAll()
        #expect(response["undoFailed"] == [["effect": "hotel", "reason": "gaveUp"]])
        #expect(response["undone"] == ["flight"] && response["effects"] == ["hotel"])
        #expect(response["dialog"]?.string?.contains("not everything") == true)
        // The call is repeated, the statements are not.
        #expect(trip.calls.all == ["call 2", "call 2", "flight 1 on Monday"])
    }

    @Test("undoIsRefused, undoFails: the effect stays, with the words of the handler, or without any", arguments: 0..<4)
    func undoIsRefused(_ number: Int) async throws {
        let trip = Trip()
        trip.refuse = { what in
            switch (number, what) {
            case (0, "call 2"), (1, "hotel 2 receipt"): throw UndoRefusal(["en": "No more.", "de": "Nicht mehr."])
            case (2, "call 2"), (3, "hotel 2 receipt"): throw Defect()
            default: break
            }
        }
        try await trip.begin { $0.locale = "de" }
        let turn = try await trip.undoNext()
        #expect((turn.failure?.isFinal == true) == (number > 1))
        let response = try await trip.undoAll()
        let reason: JSONValue = number < 2 ? "Nicht mehr." : "failed"
        #expect(response["undoFailed"] == [["effect": "hotel", "reason": reason]])
        #expect(response["undone"] == ["flight"] && response["effects"] == ["hotel"])
    }

    @Test("handlerIsGone: effects that no handler undoes any more stay")
    func handlerIsGone() async throws {
        let trip = Trip()
        try await trip.begin()
        trip.isRegistered = false
        let response = try await trip.undoAll()
        let reasons = (response["undoFailed"]?.array ?? []).map { $0["reason"] }
        #expect(reasons == ["noHandler", "noHandler"] && response["undone"] == nil)
    }

    @Test("undoTurnTimesOut: an undo that hangs is tried again, and the interaction does not end")
    func undoTurnTimesOut() async throws {
        let trip = Trip()
        try await trip.begin()
        let due = try #require(trip.interaction?.undoing).dueAt
        let data: JSONValue = ["deadline": .string("\(due)"), "user": ["id": "u1"], "what": "undo"]
        let parked = ParkedTurn(
            event: StillTurn.stored(.timerFired, data, on: .signals, offset: 60),
            interactionID: "i1",
            startedAt: due,
            timeoutAt: due + 1_000
        )
        trip.table.set(.parked, user: "u1", entry: StateEntry(parked))
        let result = try await trip.timeOut()
        #expect(result.endsParked && result.record.outcome == .noted)
        let undoing = try #require(trip.interaction?.undoing)
        #expect(undoing.attempt == 2 && undoing.dueAt > trip.now && undoing.left.count == 2)
        #expect(try await trip.undoAll()["undone"] == ["hotel", "flight"])
    }

    @Test("undoTurnIsCondemned: an undo that ends its process too often is given up, and the next one is undone")
    func undoTurnIsCondemned() async throws {
        let trip = Trip()
        try await trip.begin()
        let result = try await trip.undoNext(crash: CrashVerdict(deaths: 4, isUndecoded: false))
        #expect(result.record.outcome == .noted && trip.calls.all.isEmpty)
        #expect(result.outputs.contains { if case .deadLetter("crashed", _) = $0 { true } else { false } })
        let response = try await trip.undoAll()
        #expect(response["undoFailed"] == [["effect": "hotel", "reason": "crashed"]])
        #expect(response["undone"] == ["flight"])
    }

    @Test("undoneThenReturned: a question after effects is put when they are undone, in the next round")
    func undoneThenReturned() async throws {
        let trip = Trip { _, context in
            try await Self.book(context)
            return .asking(\.$day, .needsValue())
        }
        let begun = try await trip.begin()
        #expect(begun.record.outcome == .reported)
        try await trip.undoNext()
        let result = try await trip.undoNext()
        #expect(result.record.outcome == .returned && trip.interaction == nil && trip.ledger.closed.isEmpty)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(returned.asked["day"]?.stage == .handle && returned.round == 1 && returned.undoing == nil)
        #expect(trip.calls.all == Self.everything)
    }

    @Test("handleAsksBackAfterEffects: where one is not undone, the interaction ends with an error")
    func questionAfterFailedUndo() async throws {
        let asking: @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent> = { _, context in
            try await Self.book(context)
            return .asking(\.$day, .needsValue())
        }
        let trip = Trip(asking)
        trip.refuse = { if $0.hasPrefix("flight") { throw Defect() } }
        try await trip.begin()
        let response = try await trip.undoAll()
        #expect(response["endReason"] == "error" && response["undone"] == ["hotel"])
        #expect(response["effects"] == ["flight"])
        // With an effect that nothing undoes it is an error at once; the others are undone.
        let lasting = Trip { intent, context in
            try await context.effect("note") { _ in 1 }
            return try await asking(intent, context)
        }
        let result = try await lasting.begin()
        #expect(result.failure?.message.contains("asks back after its effects note") == true)
        #expect(try await lasting.undoAll()["endReason"] == "error")
        #expect(lasting.calls.all == Self.everything)
    }

    @Test("A turn that runs again after its undo was recorded gets the result of then, and nothing is done twice")
    func undoneOnceAcrossCrashes() async throws {
        let trip = Trip()
        try await trip.begin()
        while trip.interaction?.undoing != nil {
            // The first run is not committed.
            let before = StateTable()
            for name: StateName in [.interaction("0:7"), .known("i1")] {
                if let entry = trip.table.entry(name, user: "u1") { before.set(name, user: "u1", entry: entry) }
            }
            try await trip.undoNext()
            trip.table = before
            try await trip.undoNext()
        }
        #expect(trip.calls.all == Self.everything)
    }

    @Test("A worker that was suspended before the interaction was undone makes nothing more")
    func zombieMakesNothing() async throws {
        let trip = Trip()
        let ledger = trip.ledger
        try await trip.begin()
        for name in ["flight", "car"] {
            let key = EffectKey(request: "0:7", name: name, ordinal: name == "car" ? 0 : 1)
            await #expect(throws: LedgerClosedError.self) { _ = try await ledger.perform(key) { _ in 1 } }
        }
        _ = try await trip.undoAll()
        let flight = EffectKey(request: "0:7", name: "flight", ordinal: 0)
        await #expect(throws: LedgerClosedError.self) { _ = try await ledger.perform(flight) { _ in 1 } }
    }

    @Test("A redriven interaction waits while the effects that it shares are undone, and makes them anew")
    func redrivenWaits() async throws {
        let trip = Trip()
        try await trip.begin()
        trip.handle = { _, context in
            try await Self.book(context)
            return IntentResponse(code: .success)
        }
        let redriven: (inout Interaction) -> Void = { interaction in
            interaction.id = "i1~1"
            interaction.request = "0:9"
            interaction.passedThrough[EventHeaderName.redriveOf] = "0:7"
        }
        let waiting = try await trip.begin(redriven)
        #expect(waiting.record.outcome == .parked && waiting.retryAt != nil)
        _ = try await trip.undoAll()
        let result = try await trip.begin(redriven)
        #expect(result.end?.reason == .nominal)
        #expect(trip.ledger.made.values.sorted() == [2, 2])
    }

    @Test("A redriven interaction calls services with keys of its own where the one before was undone")
    func redrivenHasItsOwnKeys() {
        var first = Interaction.greeting()
        first.redrive.keys = .request
        var redriven = first
        redriven.redrive = RedriveState(json: first.redriveState.json)
        #expect(redriven.idempotencyKeys(deployment: "d") == first.idempotencyKeys(deployment: "d"))
        first.round = 1
        redriven.redrive = RedriveState(json: first.redriveState.json)
        #expect(redriven.redrive.rounds == 1)
        #expect(redriven.idempotencyKeys(deployment: "d") == .request("0:7#1", deployment: "d"))
        redriven.round = 1
        #expect(redriven.redriveState.rounds == 2)
    }

    @Test("needsFormat2SaysSo: a handler with a part Undo does nothing while format 1 is written")
    func needsFormat2() async throws {
        let trip = Trip()
        trip.format = 1
        let result = try await trip.begin()
        #expect(result.end?.reason == .error && trip.ledger.made.isEmpty)
        #expect(result.failure?.message.hasPrefix("A part Undo of TripIntent needs format 2") == true)
        // Behaviour 5 knows no undo: its turns run again as they were.
        let old = Trip()
        (old.format, old.behaviour) = (1, 5)
        #expect(try await old.begin().end?.reason == .failed)
        #expect(try await old.ledger.effects(origin: "0:7") == ["flight", "hotel"])
    }

    @Test("The form in state is read as it was written; one that cannot be read is no interaction")
    func form() throws {
        var response = HandlerResponse(code: "failure", details: ["a": 1], userActivity: UserActivity(title: "t"))
        response.dialog = "No."
        var undoing = Undoing(
            [MadeEffect(name: "c", ordinal: 2), MadeEffect(name: "b", ordinal: 0), MadeEffect(name: "a", ordinal: 1)],
            before: .timeout,
            response: response,
            question: Undoing.Question(parameter: "name", question: BackQuestion(.needsValue, by: .handle)),
            at: StillTurn.start
        )
        undoing.succeed(at: StillTurn.start)
        undoing.fail("why", at: StillTurn.start)
        undoing.retry(at: StillTurn.start + 9)
        #expect(undoing.dueAt == StillTurn.start + 9 && undoing.attempt == 2)
        #expect(undoing.failures.map(\.effect) == ["b", "a"])
        var interaction = Interaction.greeting()
        interaction.undoing = undoing
        #expect(Interaction(json: try JSONValue(parsing: interaction.utf8)) == interaction)
        #expect(interaction.format == 2)
        for member in ["left", "reason", "response", "dueAt"] {
            var members = try #require(interaction.json.object)
            var form = try #require(undoing.json.object)
            form[member] = member == "left" ? [1] : "?"
            members["undoing"] = .object(form)
            #expect(Interaction(json: .object(members)) == nil, "\(member)")
        }
    }

    @Test("A conversation that is undone is told so, follows the schemas, survives a restart, and replays as it was")
    func conversationReplays() async throws {
        let calls = CallLog()
        let failures = Mutex(1)
        let registration = IntentRegistration {
            TripHandler(
                handle: { _, context in
                    try await Self.book(context)
                    throw Defect()
                },
                undo: { what, _ in
                    if what == "call 2" {
                        try failures.withLock { left in
                            left -= 1
                            if left == 0 { throw Hiccup() }
                        }
                    }
                    calls.record(what)
                }
            )
        }
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        let ledger = InMemoryLedger()
        try await Pipeline.with([registration], settings: settings, ledger: ledger) { pipeline in
            try await pipeline.request("TripIntent", ["day": "Monday"], subject: "i1")
            let notice = try await pipeline.next(of: "i1")
            #expect(notice.data["undoing"] == ["hotel", "flight"])
            await pipeline.restartWorkers(after: .seconds(20))
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "error" && end.data["undone"] == ["hotel", "flight"])
            #expect(end.data["effects"] == [] && calls.all == Self.everything)
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    /// Books a table, which can be undone for a minute.
    private struct LastingHandler: IntentHandler {
        var handling: Handling<TripIntent> {
            Handle { _, context in
                for name in ["table", "note"] { try await context.effect(name) { _ in 1 } }
                return IntentResponse(code: .success)
            }
            Undo("table", within: .seconds(60)) { _, _, _ in }
            Undo("note") { _, _, _ in }
        }
    }

    @Test("After a success the response offers to undo it, and so does the answer to a late cancellation, in time")
    func successOffersUndo() async throws {
        let registrations = [IntentRegistration { LastingHandler() }]
        var settings = RuntimeSettings()
        settings.formats = RecordFormats(reads: 1...2, writes: 2)
        let (ledger, table) = (InMemoryLedger(), StateTable())
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TripIntent")
        let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
        let confirmed = StillTurn.stored(.intentConfirmed, data, on: .confirmed)
        let cancelled = StillTurn.stored(.interactionCancelled, ["user": ["id": "u1"]], on: .requests, offset: 8)
        func run(_ event: StoredRecord, at now: Int64) async throws -> TurnResult {
            let turn = try await StillTurn.run(
                event,
                in: .handle,
                registrations,
                table,
                at: StillTurn.start + now,
                settings: settings,
                ledger: ledger
            )
            let result = try #require(turn)
            for (name, entry) in result.writes { table.set(name, user: "u1", entry: entry) }
            return result
        }
        let offer: JSONValue = [
            "intent": "UndoInteraction", "parameters": ["interaction": "i1"],
            "until": .string("\(StillTurn.start + 61_000)"),
        ]
        let end = try await run(confirmed, at: 1_000)
        #expect(try end.data(of: .intentResponded)?["undo"] == offer)
        #expect(ledger.offers == ["0:7": 61_000])
        let known = try #require(end.written(.known("i1"), KnownInteraction.self))
        #expect(KnownInteraction(text: known.utf8) == known && known.undoableUntil == StillTurn.start + 61_000)
        let early = try await run(cancelled, at: 60_999)
        #expect(try early.data(of: .eventRejected)?["reason"] == "late")
        #expect(try early.data(of: .eventRejected)?["undo"] == offer)
        let late = try await run(cancelled, at: 61_000)
        #expect(try late.data(of: .eventRejected)?["undo"] == nil)
    }

    @Test("What is wrong with parts Undo is found when the handler is registered")
    func invalidParts() {
        struct Twice: IntentHandler {
            var handling: Handling<TripIntent> {
                Handle { _, _ in IntentResponse(code: .success) }
                Undo("a") { _, _, _ in }
                Undo("a", within: .seconds(9)) { _, _, _ in }
            }
        }
        struct Short: IntentHandler {
            var handling: Handling<TripIntent> {
                Handle { _, _ in IntentResponse(code: .success) }
                Undo("a", within: .zero) { _, _, _ in }
            }
        }
        struct Fine: IntentHandler {
            var handling: Handling<TripIntent> {
                Handle { _, _ in IntentResponse(code: .success) }
                Undo("a") { _, _, _ in }
            }
        }
        func problem(_ registration: IntentRegistration) -> String {
            let made = Result { try IntentRegistry([IntentExtension("Tests") { registration }]) }
            if case .failure(let error) = made { return "\(error)" }
            return ""
        }
        #expect(problem(IntentRegistration { Twice() }).contains("two parts Undo(\"a\")"))
        #expect(problem(IntentRegistration { Short() }).contains("a second or more"))
        #expect(problem(IntentRegistration(usesLedger: false) { Fine() }).contains("usesLedger: false"))
        #expect(problem(IntentRegistration { Fine() }).isEmpty)
    }
}
