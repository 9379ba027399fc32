import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Each test is named after a transition of an interaction that confirm or handle sends back, in R72.
@Suite("Confirm and handle ask back", .timeLimit(.minutes(1)))
struct AskingBackTests {
    // MARK: Confirm asks back

    private enum SlotReason: Int, UnsupportedReason { case taken = 1 }

    /// Its `confirm` answers as the test specifies.
    private struct SlotHandler: IntentHandler {
        typealias Response = IntentResponse<TableIntent>

        let confirm: @Sendable (TableIntent) -> Response

        var handling: Handling<TableIntent> {
            Confirm { intent, _ in self.confirm(intent) }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static func confirming(
        format: Int = 2,
        _ policy: ConfirmationPolicy = .never,
        _ confirm: @escaping @Sendable (TableIntent) -> SlotHandler.Response
    ) -> StillConversation {
        let registration = IntentRegistration(confirmation: policy) { SlotHandler(confirm: confirm) }
        return StillConversation(in: .confirm, format: format, [registration])
    }

    @Test("confirmAsksBack: the interaction goes back to resolve with the question, and its parameter is unsettled")
    func confirmAsksBack() async throws {
        let conversation = Self.confirming { _ in
            .asking(\.$time, .disambiguation(with: ["10", "11"]).saying(["en": "That slot has just gone."]))
        }
        let result = try await conversation.receive(.intentResolved, TableIntent.resolved(), on: .resolved)
        #expect(result.record.outcome == .returned && result.outputs.map(\.topic) == [.signals])
        #expect(conversation.interaction == nil)
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .returned)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(data["corrections"] == [:])
        #expect(returned.settled == ["guests"])
        #expect(
            returned.asked == [
                "time": BackQuestion(
                    .disambiguation,
                    by: .confirm,
                    options: ["10", "11"],
                    dialog: "That slot has just gone."
                )
            ]
        )
        // Resolve asks it.
        let resolve = TableHandler().conversation()
        try await resolve.receive(.interactionReturned, data, on: .signals)
        #expect(resolve.summary == "disambiguation:time Initial notAccepted")
        #expect(resolve.prompt["askedBy"] == "confirm")
    }

    @Test("confirmAsksBackAfterYes: what the user said yes to no longer counts")
    func confirmAsksBackAfterYes() async throws {
        let conversation = Self.confirming(.always) { intent in
            intent.time == "9"
                ? .asking(\.$time, reasons: SlotReason.self, .unsupported(forReason: .taken))
                : IntentResponse(code: .ready)
        }
        let accepted = TableIntent.resolved { interaction in
            interaction.isAccepted = true
            interaction.shown = [:]
            interaction.attempts = ["": 1]
        }
        let result = try await conversation.receive(.intentResolved, accepted, on: .resolved)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(!returned.isAccepted && returned.shown == nil && returned.attempts.isEmpty)
        let reason = ReasonDescription(code: 1, name: "taken")
        #expect(returned.asked == ["time": BackQuestion(.unsupported, by: .confirm, reason: reason)])
    }

    @Test("confirmAsksBack: about one value of a list, the yes to others is kept")
    func confirmAsksBackAboutListValue() async throws {
        let conversation = Self.confirming { _ in .asking(\.$guests, at: 1, .confirmationRequired(with: "W")) }
        let resolved = TableIntent.resolved { $0.confirmed = ["guests": [0: "Y", 1: "Z"]] }
        let result = try await conversation.receive(.intentResolved, resolved, on: .resolved)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(returned.asked == ["guests": BackQuestion(.confirmationRequired, by: .confirm, index: 1, item: "W")])
        #expect(returned.confirmed == ["guests": [0: "Y"]] && returned.settled == ["time"])
        let resolve = TableHandler().conversation()
        try await resolve.receive(.interactionReturned, data, on: .signals)
        #expect(resolve.prompt["index"] == 1 && resolve.prompt["item"] == "W")
        let answered = try await resolve.answer([:])
        #expect(try answered.data(of: .intentResolved)?["intent"]?["parameters"]?["guests"] == ["Y", "W"])
    }

    @Test("A question that asks nothing, or about no value, ends the interaction with an error", arguments: 0..<4)
    func invalidQuestions(_ number: Int) async throws {
        let conversation = Self.confirming { _ in
            switch number {
            case 0: .asking(\.$time, .success(with: "10"))
            case 1: .asking(\.$time, .notRequired())
            case 2: .asking(\.$guests, at: 2, .needsValue())
            default: .asking(\.$time, .ending(IntentResponse<TableIntent>(code: .failure)))
            }
        }
        let result = try await conversation.receive(.intentResolved, TableIntent.resolved(), on: .resolved)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.failure?.message.contains("asks back about") == true)
    }

    @Test("needsFormat2: a question of confirm is an error while format 1 is written")
    func askingBackNeedsFormat2() async throws {
        let conversation = Self.confirming(format: 1) { _ in .asking(\.$time, .needsValue()) }
        let result = try await conversation.receive(.intentResolved, TableIntent.resolved(), on: .resolved)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(
            result.failure?.message
                == "A question of confirm needs format 2: set formats.write: 2 when all workers are of this version."
        )
        #expect(result.neededFormat == 1)
        // An interaction that carries a question already can be read by workers of format 2 only.
        let carrying = Self.confirming(format: 1) { _ in .asking(\.$time, .needsValue()) }
        let resolved = TableIntent.resolved { $0.asked = ["guests": BackQuestion(.needsValue, by: .confirm)] }
        let again = try await carrying.receive(.intentResolved, resolved, on: .resolved)
        #expect(again.record.outcome == .returned && again.neededFormat == 2)
    }

    @Test("cancelReachesReturned: confirm forwards a cancellation to resolve, behind the question")
    func cancelReachesReturned() async throws {
        let conversation = Self.confirming { _ in .asking(\.$time, .needsValue()) }
        try await conversation.receive(.intentResolved, TableIntent.resolved(), on: .resolved)
        let cancelled = try await conversation.receive(.interactionCancelled, ["user": ["id": "u1"]], on: .resolved)
        #expect(cancelled.outputs == [.forward(.signals, partition: 0, stage: .resolve)])
    }

    @Test("A conversation in which confirm asks back follows the schemas, and replays without a difference")
    func conversationWithQuestionReplays() async throws {
        let registration = IntentRegistration(confirmation: .always) {
            SlotHandler { intent in
                intent.time == "9"
                    ? .asking(\.$time, .disambiguation(with: ["10", "11"])) : IntentResponse(code: .ready)
            }
        }
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        try await Pipeline.with([registration], settings: settings) { pipeline in
            try await pipeline.request("TableIntent", ["time": "9"], subject: "i1")
            let question = try await pipeline.next(of: "i1")
            #expect(question.data["kind"] == "disambiguation" && question.data["askedBy"] == "confirm")
            try await pipeline.answer(question, ["choice": 1])
            let confirmation = try await pipeline.next(of: "i1")
            #expect(confirmation.data["kind"] == "intentConfirmation")
            #expect(confirmation.data["intent"]?["parameters"]?["time"] == "11")
            try await pipeline.answer(confirmation, [:])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    // MARK: Handle asks back

    /// Its `handle` does what the test specifies.
    private struct DeedHandler: IntentHandler {
        typealias Response = IntentResponse<TableIntent>

        let handle: @Sendable (TableIntent, TurnContext) async throws -> Response

        var handling: Handling<TableIntent> { Handle { try await self.handle($0, $1) } }
    }

    private static func handling(
        format: Int = 2,
        _ ledger: (any EffectLedger)?,
        _ handle: @escaping @Sendable (TableIntent, TurnContext) async throws -> DeedHandler.Response
    ) -> StillConversation {
        let registration = IntentRegistration { DeedHandler(handle: handle) }
        return StillConversation(in: .handle, format: format, ledger: ledger, [registration])
    }

    @Test("handleAsksBack: the interaction goes back with the question, in the next round", arguments: [0, 1])
    func handleAsksBack(round: Int) async throws {
        let ledger = InMemoryLedger()
        let conversation = Self.handling(ledger) { _, _ in
            .asking(\.$time, .disambiguation(with: ["10", "11"]).saying("That slot has just gone."))
        }
        let confirmed = TableIntent.resolved { $0.round = round }
        let result = try await conversation.receive(.intentConfirmed, confirmed, on: .confirmed)
        #expect(result.record.outcome == .returned && result.outputs.map(\.topic) == [.signals])
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .returned)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(returned.round == round + 1 && returned.settled == ["guests"])
        #expect(returned.asked["time"]?.stage == .handle && returned.asked["time"]?.options == ["10", "11"])
        let fence = try #require(result.record.reads.last)
        #expect(fence.kind == .ledger && fence.name == "fence")
        #expect(fence.result == .value(["effects": [], "round": .integer(Int64(round + 1))]))
        #expect(fence.heldEffects == nil && ledger.closed.isEmpty)
    }

    @Test("handleAsksBackWithoutUndo: after an effect the interaction ends with an error that names it")
    func handleAsksBackWithoutUndo() async throws {
        let ledger = InMemoryLedger()
        let conversation = Self.handling(ledger) { _, context in
            try await context.effect("pay") { _ in }
            return .asking(\.$time, .needsValue())
        }
        let result = try await conversation.receive(.intentConfirmed, TableIntent.resolved(), on: .confirmed)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.failure?.message.contains("asks back after its effects pay") == true)
        #expect(try result.data(of: .intentResponded)?["effects"] == ["pay"])
        #expect(ledger.closed == ["0:7"])
    }

    @Test("needsFormat2: a question of handle is an error while format 1 is written, and begins no round")
    func handleNeedsFormat2() async throws {
        let ledger = InMemoryLedger()
        let conversation = Self.handling(format: 1, ledger) { _, _ in .asking(\.$time, .needsValue()) }
        let result = try await conversation.receive(.intentConfirmed, TableIntent.resolved(), on: .confirmed)
        #expect(result.end?.reason == .error)
        #expect(result.failure?.message.contains("A question of handle needs format 2") == true)
        #expect(!result.record.reads.contains { $0.name == "fence" })
        #expect(ledger.closed == ["0:7"])
    }

    @Test("Without a store, handle asks back as well: there is no effect to fence")
    func handleAsksBackWithoutStore() async throws {
        let conversation = Self.handling(nil) { _, _ in .asking(\.$time, .needsValue()) }
        let result = try await conversation.receive(.intentConfirmed, TableIntent.resolved(), on: .confirmed)
        #expect(result.record.outcome == .returned && result.record.reads.isEmpty)
    }

    @Test("Each round has its own idempotency keys; the first round has the same as in earlier versions")
    func roundsHaveTheirOwnKeys() throws {
        var interaction = Interaction.greeting()
        interaction.redrive.keys = .request
        let first = interaction.idempotencyKeys(deployment: "d")
        interaction.round = 1
        #expect(first == .request("0:7", deployment: "d"))
        #expect(interaction.idempotencyKeys(deployment: "d") == .request("0:7#1", deployment: "d"))
        interaction.redrive.keys = .interaction
        #expect(interaction.idempotencyKeys(deployment: "d") == .interaction("i1#1"))
        #expect(interaction.format == 2 && Interaction(json: interaction.json) == interaction)
    }

    // MARK: Rounds

    @Test("zombieOfEarlierRoundMakesNothing: a worker that was suspended before the user chose again has no result")
    func zombieOfEarlierRoundMakesNothing() async throws {
        let ledger = InMemoryLedger()
        let (begun, gate) = (Gate(), Gate())
        let registration = IntentRegistration {
            DeedHandler { _, context in
                begun.open()
                await gate.wait()
                try await context.effect("book") { _ in }
                return IntentResponse(code: .success)
            }
        }
        let event = StillTurn.stored(.intentConfirmed, TableIntent.resolved(), on: .confirmed)
        let zombie = Task { try await StillTurn.run(event, in: .handle, [registration], ledger: ledger) }
        await begun.wait()
        let other = Self.handling(ledger) { _, _ in .asking(\.$time, .needsValue()) }
        let result = try await other.receive(.intentConfirmed, TableIntent.resolved(), on: .confirmed)
        #expect(result.record.outcome == .returned)
        gate.open()
        #expect(try await zombie.value == nil)
        #expect(ledger.made.isEmpty)
        // The next round books.
        let next = Self.handling(ledger) { _, context in
            try await context.effect("book") { _ in }
            return IntentResponse(code: .success)
        }
        let booked = try await next.receive(.intentConfirmed, TableIntent.resolved { $0.round = 1 }, on: .confirmed)
        #expect(booked.end?.reason == .nominal && ledger.made.count == 1)
    }

    @Test("crashAfterFenceEndsTheSame: a turn that runs again in its old round begins the same round")
    func crashAfterFenceEndsTheSame() async throws {
        let ledger = InMemoryLedger()
        for _ in 0..<2 {
            // Each run has a new state: the first turn was not committed.
            let conversation = Self.handling(ledger) { _, _ in .asking(\.$time, .needsValue()) }
            let result = try await conversation.receive(.intentConfirmed, TableIntent.resolved(), on: .confirmed)
            let data = try #require(try result.data(of: .interactionReturned))
            #expect(data["interaction"]?["round"] == 1)
        }
    }

    @Test("A conversation in which handle asks back makes its effect once, and replays without a difference")
    func conversationWithRoundsReplays() async throws {
        let ledger = InMemoryLedger()
        let registration = IntentRegistration(confirmation: .never) {
            DeedHandler { intent, context in
                if intent.time == "9" { return .asking(\.$time, .disambiguation(with: ["10", "11"])) }
                try await context.effect("book") { _ in }
                return IntentResponse(code: .success)
            }
        }
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        try await Pipeline.with([registration], settings: settings, ledger: ledger) { pipeline in
            try await pipeline.request("TableIntent", ["time": "9"], subject: "i1")
            for _ in 0..<2 {
                let question = try await pipeline.next(of: "i1")
                #expect(question.data["askedBy"] == "handle" && question.data["attempt"] == "Initial")
                let isSecond = question.data["promptId"] == "i1/r/2"
                try await pipeline.answer(question, isSecond ? ["choice": 0] : ["value": "9"])
            }
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "nominal" && end.data["effects"] == ["book"])
            #expect(ledger.made.values.map(\.self) == [1])
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }
}
