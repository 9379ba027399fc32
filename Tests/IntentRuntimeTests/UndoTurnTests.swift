import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentRuntime

@Suite("R75: each effect is undone in a turn of its own")
struct UndoTurnTests {
    @Test("undoIsTriedAgain: after a transient error the undo is tried again, by the policy")
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
                if left >= 0 { throw Trip.Hiccup() }
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
        #expect(trip.calls.all == Trip.everything)
    }

    @Test("undoGivesUp: after the last try the effect is in undoFailed, and the next one is undone")
    func undoGivesUp() async throws {
        let trip = Trip()
        trip.retry = RetryPolicy(attempts: 2, first: .seconds(1), longest: .seconds(1), within: .seconds(60))
        trip.refuse = { if $0.hasPrefix("hotel") { throw Trip.Hiccup() } }
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
            case (2, "call 2"), (3, "hotel 2 receipt"): throw Trip.Defect()
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

    @Test("handlerIsGone: effects that no handler can undo any more are kept")
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

    @Test("A turn that runs again after its undo was recorded gets the recorded result, and nothing is done twice")
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
        #expect(trip.calls.all == Trip.everything)
    }

    @Test("A worker that was suspended before the interaction was undone makes no more effects")
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

    @Test("A redriven interaction waits while the effects that it shares are undone, and makes them again")
    func redrivenWaits() async throws {
        let trip = Trip()
        try await trip.begin()
        trip.handle = { _, context in
            try await Trip.book(context)
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

    @Test("A redriven interaction calls services with new keys if the one before was undone")
    func redrivenHasItsOwnKeys() throws {
        var first = Interaction.greeting()
        first.redrive.keys = .request
        var redriven = first
        redriven.redrive = try #require(RedriveState(json: first.redriveState.json))
        #expect(redriven.idempotencyKeys(deployment: "d") == first.idempotencyKeys(deployment: "d"))
        first.round = 1
        redriven.redrive = try #require(RedriveState(json: first.redriveState.json))
        #expect(redriven.redrive.rounds == 1)
        #expect(redriven.idempotencyKeys(deployment: "d") == .request("0:7#1", deployment: "d"))
        redriven.round = 1
        #expect(redriven.redriveState.rounds == 2)
    }

    @Test("The form in state is read as it was written; an unreadable one makes the interaction unreadable")
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

    @Test("A conversation that is undone says so, follows the schemas, survives a restart, and replays exactly")
    func conversationReplays() async throws {
        let calls = CallLog()
        let failures = Mutex(1)
        let registration = IntentRegistration {
            TripHandler(
                handle: { _, context in
                    try await Trip.book(context)
                    throw Trip.Defect()
                },
                undo: { what, _ in
                    if what == "call 2" {
                        try failures.withLock { left in
                            left -= 1
                            if left == 0 { throw Trip.Hiccup() }
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
            #expect(end.data["effects"] == [] && calls.all == Trip.everything)
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    @Test("Invalid Undo parts are found when the handler is registered")
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
