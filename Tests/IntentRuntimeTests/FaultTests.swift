import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("What survives faults of the log")
struct FaultTests {
    /// Calls one effect, after a few steps that let other tasks run.
    private struct WanderingHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolveName, \.$name)
            Handle(self.handle)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            var random = context.randomNumbers
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
            _ = try await context.effect("greet") { _ in intent.name ?? "" }
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
            return self.greeting(intent)
        }
    }

    @Test("R2, R9, R30: whatever fails, each interaction ends once and its effect is made once", arguments: 1...6)
    func interactionsEndOnceDespiteFaults(seed: Int) async throws {
        var settings = RuntimeSettings()
        // Turns that are not done when the batch first checks are parked: many are.
        settings.parkAfter = .zero
        let ledger = InMemoryLedger()
        try await Pipeline.with(
            [IntentRegistration(confirmation: .always) { WanderingHandler() }],
            settings: settings,
            ledger: ledger
        ) { pipeline in
            var random = UInt64(seed)
            func pick(_ count: Int) -> Int { Int(SplitMix64.next(&random) % UInt64(count)) }
            let subjects = (0..<40).map { InteractionID("i\($0)") }
            func user(of subject: InteractionID) -> UserID { "u\(Int(subject.text.dropFirst())! % 11)" }
            for subject in subjects {
                try await pipeline.request("GreetIntent", user: user(of: subject), subject: subject)
            }
            var ended: Set<InteractionID> = []
            while ended.count < subjects.count {
                let event = try await pipeline.next { _ in true }
                let subject = try #require(event.subject)
                switch event.type {
                case "prompt.issued":
                    let answer: JSONObject = event.data["kind"] == "needsValue" ? ["value": "Jeff"] : [:]
                    try await pipeline.answer(event, user: user(of: subject), answer)
                case "intent.responded" where event.data["terminal"] == true:
                    #expect(event.data["status"] == "success")
                    #expect(ended.insert(subject).inserted, "\(subject) ended twice")
                default: break
                }
                let stage = Stage.allCases[pick(3)]
                let group = stage.group(prefix: "intents")
                switch pick(25) {
                case 0: pipeline.memory.inject(.outcomeUnknown(applied: true))
                case 1: pipeline.memory.inject(.outcomeUnknown(applied: false))
                case 2: pipeline.memory.rebalance(group)
                case 3: pipeline.memory.expel(group)
                case 4: pipeline.memory.fence(lane: "worker-0", of: group)
                default: break
                }
            }
            let terminal = try await pipeline.records(of: .responses)
                .map { try StoredRecord($0, topic: .responses).decoded() }
                .filter { $0.data["terminal"] == true }
                .compactMap(\.subject)
            #expect(terminal.sorted() == subjects.sorted())
            #expect(ledger.made.count == subjects.count)
            #expect(ledger.made.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("R5, R32: a lane full of hanging turns still reads the timers that end them")
    func fullLanesReadTimers() async throws {
        var settings = RuntimeSettings()
        settings.maxParked = 1
        settings.inProgressAfter = .milliseconds(1)
        let gate = Gate()
        try await Pipeline.with([IntentRegistration { SlowHandler(gate: gate) }], settings: settings) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "slow"], user: "u1", subject: "i1")
            _ = try await pipeline.next(of: "i1")
            try await pipeline.request("GreetIntent", ["name": "slow"], user: "u2", subject: "i2")
            pipeline.clock.advance(by: settings.handlerTimeout)
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "timeout")
            // There is room again.
            gate.open()
            #expect(try await pipeline.end(of: "i2").data["status"] == "success")
        }
    }
}
