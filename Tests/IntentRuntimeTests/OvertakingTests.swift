import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Events that overtake a parked turn and fail leave it in place")
struct OvertakingTests {
    /// Waits for a gate, then calls an effect.
    private struct SlowPayer: IntentHandler {
        let gate: Gate

        var handling: Handling<GreetIntent> { Handle(self.handle) }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            if intent.name == "slow" { await self.gate.wait() }
            _ = try await context.effect("pay") { _ in "paid" }
            return self.greeting(intent)
        }
    }

    private let gate = Gate()
    private let ledger = InMemoryLedger()

    /// Runs stages, with the turn of the interaction "slow" parked at the gate.
    private func withParkedTurn(_ body: (Pipeline) async throws -> Void) async throws {
        var settings = RuntimeSettings()
        settings.inProgressAfter = .seconds(3600)
        let registration = IntentRegistration { SlowPayer(gate: gate) }
        try await Pipeline.with([registration], settings: settings, ledger: self.ledger) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], subject: "slow")
            while try await !pipeline.records(of: .state)
                .contains(where: { $0.key.flatMap(StateKey.init)?.name == "parked" && $0.value != nil })
            { await Task.yield() }
            try await body(pipeline)
        }
    }

    /// Requests after it are answered as always.
    private func expectNextToEnd(_ pipeline: Pipeline) async throws {
        try await pipeline.request("GreetIntent", ["name": "next"], subject: "next")
        #expect(try await pipeline.end(of: "next").data["endReason"] == "nominal")
    }

    /// Checks the turns of the journal: each generation of each event occurs once.
    private func expectEachTurnOnce(_ pipeline: Pipeline) async throws {
        let ids = try await pipeline.records(of: .journal).compactMap { $0.header("ce_id") }
        #expect(ids.count == Set(ids).count)
    }

    @Test("R5: a cancellation that cannot be decided yet is answered later, and the parked turn ends as usual")
    func undecidedCancellationIsAnsweredLater() async throws {
        try await self.withParkedTurn { pipeline in
            self.ledger.busyCloses = 1
            try await pipeline.send(.interactionCancelled, subject: "slow", data: ["user": ["id": "u1"]])
            try await eventually { self.ledger.busyCloses == 0 }
            try await pipeline.request("GreetIntent", ["name": "next"], subject: "next")
            self.gate.open()
            #expect(try await pipeline.end(of: "slow").data["endReason"] == "nominal")
            let rejection = try await pipeline.next { $0.type == "event.rejected" }
            #expect(rejection.data["reason"] == "late")
            #expect(try await pipeline.end(of: "next").data["endReason"] == "nominal")
            #expect(self.ledger.made.values.allSatisfy { $0 == 1 })
            try await self.expectEachTurnOnce(pipeline)
        }
    }

    @Test("R32: a timeout that cannot be carried out yet is retried")
    func timeoutThatCannotRunYetIsRetried() async throws {
        self.ledger.busyCloses = 1
        try await self.withParkedTurn { pipeline in
            pipeline.clock.advance(by: RuntimeSettings().handlerTimeout)
            #expect(try await pipeline.end(of: "slow").data["endReason"] == "timeout")
            self.gate.open()
            try await self.expectNextToEnd(pipeline)
            #expect(self.ledger.made.count == 1)
            try await self.expectEachTurnOnce(pipeline)
        }
    }

    @Test("R9: a cancellation that fails for good fails alone: its interaction ends once, with the parked turn")
    func failedCancellationFailsAlone() async throws {
        try await self.withParkedTurn { pipeline in
            self.ledger.brokenCloses = 1
            try await pipeline.send(.interactionCancelled, subject: "slow", data: ["user": ["id": "u1"]])
            try await eventually { try await !pipeline.records(of: .deadLetters).isEmpty }
            self.gate.open()
            #expect(try await pipeline.end(of: "slow").data["endReason"] == "nominal")
            try await self.expectOneEnd(pipeline)
        }
    }

    @Test("R9, R32: a timeout that finds the store broken ends the interaction and its parked turn")
    func timeoutWithBrokenStoreEndsInteraction() async throws {
        self.ledger.brokenCloses = 1
        try await self.withParkedTurn { pipeline in
            pipeline.clock.advance(by: RuntimeSettings().handlerTimeout)
            #expect(try await pipeline.end(of: "slow").data["endReason"] == "timeout")
            self.gate.open()
            try await self.expectOneEnd(pipeline)
        }
    }

    /// Requests after it are answered, and the slow one has one end by then.
    private func expectOneEnd(_ pipeline: Pipeline) async throws {
        try await self.expectNextToEnd(pipeline)
        let ends = try await pipeline.records(of: .responses)
            .map { try StoredRecord($0, topic: .responses).decoded() }
            .filter { $0.subject == "slow" && $0.data["terminal"] == true }
        #expect(ends.count == 1)
    }
}
