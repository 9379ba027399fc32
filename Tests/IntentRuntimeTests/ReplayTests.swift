import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Turns are pure functions")
struct ReplayTests {
    /// Reads, draws, generates ids and calls an effect; waits or fails as its name says.
    private struct BusyHandler: IntentHandler {
        let gate: Gate

        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolveName, \.$name)
            Handle(self.handle)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            if intent.name == "slow" { await self.gate.wait() }
            if intent.name == "passes" && context.attempt == 1 { throw FailingHandler.Hiccup() }
            if intent.name == "stays" { throw FailingHandler.Defect() }
            let outside = try await context.run("weather") { Int.random(in: 0..<1_000_000) }
            var random = context.randomNumbers
            let drawn = Int.random(in: 0..<1_000_000, using: &random)
            let id = context.makeIdentifier()
            let effect = try await context.effect("greet") { _ in Int.random(in: 0..<1_000_000) }
            var response = self.greeting(intent)
            response.details["numbers"] = [.integer(Int64(outside)), .integer(Int64(drawn)), .integer(Int64(effect))]
            response.details["id"] = .string(id)
            response.details["time"] = .string("\(context.now)")
            return response
        }
    }

    /// Draws a random number without the context.
    private struct HiddenDiceHandler: IntentHandler {
        var handling: Handling<GreetIntent> { Handle(self.handle) }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            IntentResponse(code: .success, details: ["dice": .integer(.random(in: 0 ... .max))])
        }
    }

    @Test("R42: every turn replays to the same bytes, parked, retried and failed ones too")
    func replaysToSameBytes() async throws {
        let gate = Gate()
        let registrations = [IntentRegistration(confirmation: .always) { BusyHandler(gate: gate) }]
        try await Pipeline.with(registrations, ledger: InMemoryLedger()) { pipeline in
            for name in ["quick", "slow", "passes", "stays", ""] {
                try await pipeline.request(
                    "GreetIntent",
                    ["name": .string(name)],
                    user: "user \(name)",
                    subject: "\(name)!"
                )
                var prompt = try await pipeline.next(of: "\(name)!")
                if name.isEmpty {
                    try await pipeline.answer(prompt, user: "user ", ["value": "Celestra"])
                    prompt = try await pipeline.next(of: "\(name)!")
                }
                try await pipeline.answer(prompt, user: "user \(name)", [:])
                if name == "slow" {
                    // Once it reports that it takes longer, the turn has been parked.
                    #expect(try await pipeline.next(of: "slow!").data["status"] == "inProgress")
                    gate.open()
                }
                _ = try await pipeline.end(of: "\(name)!")
            }
            try await pipeline.request("NobodyIntent", subject: "nobody")
            _ = try await pipeline.next(of: "nobody")
            let results = try await pipeline.replayAll(registrations)
            #expect(results.count > 20)
            #expect(results.allSatisfy { $0.isMatch })
            #expect(results.contains { $0.record?.isParkingNote == true })
        }
    }

    @Test("R71: turns whose prompts have displays replay to the same bytes")
    func promptWithDisplaysMatches() async throws {
        let registrations = [IntentRegistration(usesLedger: false) { VetHandler() }]
        try await Pipeline.with(registrations) { pipeline in
            for (locale, id) in [("de", "i1"), ("en-US", "i2")] as [(String, InteractionID)] {
                let extra: JSONObject = ["locale": .string(locale)]
                try await pipeline.request("VetIntent", ["pet": "Bello"], subject: id, extra: extra)
                try await pipeline.answer(try await pipeline.next(of: id), ["choice": 1])
                try await pipeline.answer(try await pipeline.next(of: id), ["choice": 0])
                #expect(try await pipeline.end(of: id).data["status"] == "success")
            }
            let results = try await pipeline.replayAll(registrations)
            #expect(!results.isEmpty && results.allSatisfy { $0.isMatch })
        }
    }

    @Test("R42: a handler that draws random numbers outside its context diverges")
    func findsHiddenRandomNumbers() async throws {
        let registrations = [IntentRegistration(usesLedger: false) { HiddenDiceHandler() }]
        try await Pipeline.with(registrations) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            _ = try await pipeline.next(of: "i1")
            let results = try await pipeline.replayAll(registrations)
            #expect(results.filter { !$0.isMatch }.count == 1)
        }
    }
}
