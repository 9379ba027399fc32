import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("R48: a redriven interaction keeps its user's confirmations")
struct RedrivenAnswersTests {
    /// Asks whether the name is meant, then whether to greet for a price; one of its parts fails as the test wants.
    private struct AskingHandler: IntentHandler {
        struct Breakdown: Error {}

        final class Shop: Sendable {
            struct State: Sendable {
                var price: Int64 = 3
                /// The stage that fails: `confirm` fails when it is called after a yes.
                var broken: Stage?
                var names: [String] = []
            }

            let state = Mutex(State())
        }

        let shop: Shop

        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolve, \.$name)
            Confirm(self.confirm)
            Handle(self.handle)
        }

        func resolve(_ intent: GreetIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            guard let name = intent.name, !name.isMissing else { return .needsValue() }
            return .confirmationRequired(with: name)
        }

        func confirm(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            let (price, broken) = self.shop.state.withLock { ($0.price, $0.broken) }
            if broken == .confirm { throw Breakdown() }
            return IntentResponse(code: .ready, details: ["price": .integer(price)])
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            if self.shop.state.withLock({ $0.broken }) == .handle { throw Breakdown() }
            self.shop.state.withLock { $0.names.append(intent.name ?? "") }
            return self.greeting(intent)
        }
    }

    private let shop = AskingHandler.Shop()

    private func run(_ body: (Pipeline) async throws -> Void) async throws {
        try await Pipeline.with([IntentRegistration(confirmation: .always) { AskingHandler(shop: shop) }], body)
    }

    private func plan(_ pipeline: Pipeline) async throws -> Redrive {
        try await Redrive(
            try await pipeline.records(of: .deadLetters).map { DeadLetter($0, prefix: "intents") },
            of: pipeline.deployment,
            on: pipeline.log,
            key: try await pipeline.deployment.makeRedriveKey(on: pipeline.log),
            again: false,
            now: Timestamp(milliseconds: 0)
        )
    }

    private func next(_ kind: PromptKind, of id: InteractionID, in pipeline: Pipeline) async throws -> Event {
        let prompt = try await pipeline.next(of: id)
        #expect(prompt.data["kind"]?.string == kind.rawValue, "\(prompt.data)")
        return prompt
    }

    /// Has an interaction fail after the user has said yes twice.
    private func fail(in stage: Stage, _ id: InteractionID, _ pipeline: Pipeline) async throws {
        try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: id)
        try await pipeline.answer(try await self.next(.confirmationRequired, of: id, in: pipeline), [:])
        let prompt = try await self.next(.intentConfirmation, of: id, in: pipeline)
        self.shop.state.withLock { $0.broken = stage }
        try await pipeline.answer(prompt, [:])
        #expect(try await pipeline.end(of: id).data["endReason"] == "error")
        self.shop.state.withLock { $0.broken = nil }
    }

    private func replays(_ pipeline: Pipeline) async throws {
        let results = try await pipeline.replayAll([
            IntentRegistration(confirmation: .always) { AskingHandler(shop: self.shop) }
        ])
        let turns = try await pipeline.records(of: .journal).compactMap(TurnRecord.init)
        for (turn, result) in zip(turns, results) where turn.outcome != .deadLettered && turn.stage != .handle {
            #expect(result.isMatch || turn.stage == .confirm, "\(turn.position)")
        }
    }

    @Test("The user is not asked again, whichever stage failed after the yes", arguments: [Stage.confirm, .handle])
    func userIsNotAskedAgain(stage: Stage) async throws {
        try await self.run { pipeline in
            try await self.fail(in: stage, "i1", pipeline)
            try await pipeline.write(try await self.plan(pipeline).records)
            let end = try await pipeline.next(of: "i1~1")
            #expect(end.data["endReason"] == "nominal", "\(end.data)")
            #expect(self.shop.state.withLock(\.names) == ["Jeff"])
            try await self.replays(pipeline)
        }
    }

    @Test("R29: when what is shown has changed the user is asked again; a further redrive has the newer yes")
    func asksAgainWhenShownValuesChange() async throws {
        try await self.run { pipeline in
            try await self.fail(in: .handle, "i1", pipeline)
            self.shop.state.withLock { $0.price = 4 }
            try await pipeline.write(try await self.plan(pipeline).records)
            let prompt = try await self.next(.intentConfirmation, of: "i1~1", in: pipeline)
            #expect(prompt.data["again"]?["reason"] == "changed")
            #expect(prompt.data["response"]?["price"] == 4)
            self.shop.state.withLock { $0.broken = .handle }
            try await pipeline.answer(prompt, [:])
            #expect(try await pipeline.end(of: "i1~1").data["endReason"] == "error")
            self.shop.state.withLock { $0.broken = nil }
            try await pipeline.write(try await self.plan(pipeline).records)
            #expect(try await pipeline.next(of: "i1~2").data["endReason"] == "nominal")
        }
    }

    @Test("R19: a yes to a value is for that value only, and a no ends it: nothing else is taken over")
    func takesOverOnlyWhatWasSaid() async throws {
        try await self.run { pipeline in
            try await self.fail(in: .handle, "i1", pipeline)
            self.shop.state.withLock { $0.price = 4 }
            try await pipeline.write(try await self.plan(pipeline).records)
            let prompt = try await self.next(.intentConfirmation, of: "i1~1", in: pipeline)
            try await pipeline.answer(prompt, ["corrections": ["name": "Ann"]])
            _ = try await self.next(.confirmationRequired, of: "i1~1", in: pipeline)
            #expect(self.shop.state.withLock(\.names).isEmpty)
        }
    }

    @Test(
        "R14: a client cannot forge a yes or use another's, neither by claiming it nor by changing a redriven request"
    )
    func clientCannotForgeYes() async throws {
        try await self.run { pipeline in
            try await self.fail(in: .handle, "i1", pipeline)
            let record = try #require(try await self.plan(pipeline).records.first)
            let data = try JSONValue(parsing: try #require(record.value))
            let state = try #require(data["redrive"])
            // Claimed in a request of one's own: it means nothing there.
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i2", extra: ["redrive": state])
            _ = try await self.next(.confirmationRequired, of: "i2", in: pipeline)
            // Taken from a request that was sent again.
            let other = try #require(
                data.object?.merging(["intent": ["name": "GreetIntent", "parameters": ["name": "Eve"]]]) { $1 }
            )
            let plain = try #require(data.object?.filter { $0.key != "redrive" })
            for changed in [other, plain] {
                try await pipeline.write([
                    OutgoingRecord(
                        topicPartition: record.topicPartition,
                        key: record.key,
                        value: JSONValue.object(changed).utf8,
                        headers: record.headers
                    )
                ])
                let end = try await pipeline.next { $0.subject == "i1~1" }
                #expect(end.type == "event.rejected" || end.data["endReason"] == "invalidRequest", "\(end.data)")
            }
            #expect(self.shop.state.withLock(\.names).isEmpty)
        }
    }

    @Test("R40: a dead letter passes on digests, and neither values nor what was shown")
    func deadLetterHoldsDigestsOnly() async throws {
        try await self.run { pipeline in
            try await self.fail(in: .handle, "i1", pipeline)
            let letter = try #require(try await pipeline.records(of: .deadLetters).first)
            let state = try JSONValue(parsing: try #require(letter.header("intentd_redrive")))
            #expect(state.object?.keys.sorted() == ["keys", "values", "yes"])
            #expect(state["yes"]?.string?.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
            #expect(state["values"]?.array?.count == 1)
            let text = try #require(letter.header("intentd_redrive"))
            #expect(!text.contains("Jeff") && !text.contains("price"))
        }
    }
}
