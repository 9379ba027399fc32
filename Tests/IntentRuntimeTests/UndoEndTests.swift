import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R75: an interaction that does not succeed undoes its effects before its end")
struct UndoEndTests {
    @Test("endsWithCurrentEffects: the user is notified, and each effect is undone in a turn, the last one first")
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
        #expect(trip.calls.all == Trip.everything)
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

    @Test("An effect without an Undo part is kept, and named")
    func othersStay() async throws {
        let trip = Trip { _, context in
            try await context.effect("note") { _ in 7 }
            try await Trip.book(context)
            return IntentResponse(code: .failure)
        }
        try await trip.begin()
        let response = try await trip.undoAll()
        #expect(response["undone"] == ["hotel", "flight"] && response["effects"] == ["note"])
        #expect(response["undoFailed"] == nil)
    }

    @Test("A success undoes nothing, nor does a task that continues in the app")
    func successUndoesNothing() async throws {
        for code in [TripIntent.Code.success, .handleInApp] {
            let trip = Trip { _, context in
                try await Trip.book(context)
                return IntentResponse(code: code)
            }
            let result = try await trip.begin()
            #expect(trip.interaction?.undoing == nil && !result.record.reads.contains { $0.name == "fence" })
            #expect(trip.calls.all.isEmpty)
        }
    }

    @Test("eachEndReason, timeoutUndoes: undoing does not change the reason of the end", arguments: EndReason.allCases)
    func eachEndReason(_ reason: EndReason) async throws {
        let trip = Trip()
        switch reason {
        case .nominal, .declined, .unsupportedIntent, .notAuthorized, .invalidRequest:
            // They come before anything is done, or with a success.
            return
        case .failed: try await trip.begin()
        case .error:
            trip.handle = { _, context in
                try await Trip.book(context)
                throw Trip.Defect()
            }
            let result = try await trip.begin()
            #expect(result.outputs.contains { if case .deadLetter = $0 { true } else { false } })
        case .timeout:
            trip.park()
            try await trip.bookInLedger()
            let result = try await trip.timeOut()
            #expect(result.endsParked && trip.table.entry(.parked, user: "u1") == nil)
        case .abortedByUser, .abortedByOperator:
            trip.park()
            try await trip.bookInLedger()
            let result =
                reason == .abortedByUser
                ? try await trip.receive(.interactionCancelled, on: .requests)
                : try await trip.receive(
                    .operatorActed,
                    ["act": "cancel", "by": "ada", "via": "terminal", "user": ["id": "u1"]],
                    on: .signals
                )
            #expect(result.endsParked && result.record.outcome == .reported)
        case .tooManyAttempts:
            try await trip.bookInLedger()
            try await trip.begin { $0.turns = RuntimeSettings().maxTurns }
        }
        let response = try await trip.undoAll()
        #expect(response["endReason"] == .string(reason.rawValue) && response["undone"] == ["hotel", "flight"])
        #expect(trip.calls.all == Trip.everything)
    }

    @Test("A failure that the app reports undoes what handle has done, and so does the app's silence")
    func appFails() async throws {
        for reports in [true, false] {
            let trip = Trip { _, context in
                try await Trip.book(context)
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
        "R9: a turn that is lost after closing the ledger does not prevent another one from ending the interaction",
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

    @Test(
        "cancelUndoes, cancelWhileUndoing: while it waits for the app, a cancellation undoes it; a second one is late"
    )
    func cancelUndoes() async throws {
        let trip = Trip { _, context in
            try await Trip.book(context)
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

    @Test("A cancellation is late even where the undo is in the ledger, and its turn was lost")
    func cancelAfterLostUndo() async throws {
        let trip = Trip { _, context in
            try await context.effect("flight") { _ in 1 }
            return IntentResponse(code: .failure)
        }
        try await trip.begin()
        trip.isLosing = true
        let lost = try await trip.undoNext()
        #expect(lost.end?.reason == .failed)
        trip.isLosing = false
        let cancelled = try await trip.receive(.interactionCancelled, on: .requests)
        #expect(try cancelled.data(of: .eventRejected)?["reason"] == "late")
        let response = try await trip.undoAll()
        #expect(response["endReason"] == "failed" && response["undone"] == ["flight"])
    }

    @Test("A lost turn that has ended the interaction is repeated: what it did not undo was gone, or stays")
    func endsAfterLostLastUndo() async throws {
        for effect in ["flight", "hotel"] {
            for isGone in [true, false] {
                let trip = Trip { _, context in
                    try await context.effect(effect) { _ in 1 }
                    return IntentResponse(code: .failure)
                }
                try await trip.begin()
                if isGone {
                    let key = EffectKey(request: "0:99", origin: "0:7", name: effect, ordinal: 0)
                    _ = try await trip.ledger.undo([key]) { _, _, _ in .null }
                } else {
                    trip.refuse = { if $0.hasPrefix(effect) { throw Trip.Defect() } }
                }
                trip.isLosing = true
                #expect(try await trip.undoNext().end?.reason == .failed)
                trip.isLosing = false
                let response = try await trip.undoAll()
                #expect(response["endReason"] == "failed" && response["undone"] == nil)
                #expect(response["effects"] == (isGone ? [] : [.string(effect)]))
                let failed: JSONValue = [["effect": .string(effect), "reason": "failed"]]
                #expect(response["undoFailed"] == (isGone ? nil : failed))
            }
        }
    }

    @Test("undoneThenReturned: a question after effects is asked when they are undone, in the next round")
    func undoneThenReturned() async throws {
        let trip = Trip { _, context in
            try await Trip.book(context)
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
        #expect(trip.calls.all == Trip.everything)
    }

    @Test("handleAsksBackAfterEffects: if an effect is not undone, the interaction ends with an error")
    func questionAfterFailedUndo() async throws {
        let asking: @Sendable (TripIntent, TurnContext) async throws -> IntentResponse<TripIntent> = { _, context in
            try await Trip.book(context)
            return .asking(\.$day, .needsValue())
        }
        let trip = Trip(asking)
        trip.refuse = { if $0.hasPrefix("flight") { throw Trip.Defect() } }
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
        #expect(lasting.calls.all == Trip.everything)
    }

    @Test("needsFormat2: a handler with an Undo part does nothing while format 1 is written")
    func needsFormat2() async throws {
        let trip = Trip()
        trip.format = 1
        let result = try await trip.begin()
        #expect(result.end?.reason == .error && trip.ledger.made.isEmpty)
        #expect(result.failure?.message.hasPrefix("A part Undo of TripIntent needs format 2") == true)
        // Behaviour 5 has no undo: its turns run again unchanged.
        let old = Trip()
        (old.format, old.behaviour) = (1, 5)
        #expect(try await old.begin().end?.reason == .failed)
        #expect(try await old.ledger.effects(origin: "0:7") == ["flight", "hotel"])
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
}
