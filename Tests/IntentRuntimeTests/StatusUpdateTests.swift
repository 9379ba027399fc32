import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("Status updates after the terminal response")
struct StatusUpdateTests {
    /// A journey that advances one step at each check.
    private struct TravellingHandler: IntentHandler {
        enum Fault {
            case none
            case defect
            case effect
        }

        struct Defect: Error {}

        let looks: Counter
        var fault = Fault.none

        var handling: Handling<GreetIntent> {
            Handle(self.handle)
            UpdateStatus(every: .milliseconds(100), self.statusUpdate)
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            IntentResponse(code: intent.name == "nobody" ? .failure : .success, details: ["step": 0])
        }

        func statusUpdate(for intent: GreetIntent, context: TurnContext) async throws -> StatusUpdate<GreetIntent> {
            let looks = self.looks
            let look = try await context.run("look") { looks.next() }
            switch self.fault {
            case .none: break
            case .defect: throw Defect()
            case .effect: _ = try await context.effect("late") { _ in true }
            }
            // Steps 0, 1, 1, 2, 2, 3: the first check and every other one find nothing new.
            let step = look / 2
            return StatusUpdate(
                IntentResponse(code: .success, details: ["step": .integer(Int64(step))]),
                isLast: step == 3
            )
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            self.value.withLock { value in
                value += 1
                return value
            }
        }

        var count: Int { self.value.withLock { $0 } }
    }

    @Test("News is pushed after the end, once each, until the last one (behaviours 51, 57)")
    func pushesNewsUntilLast() async throws {
        let looks = Counter()
        let registration = IntentRegistration { TravellingHandler(looks: looks) }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["terminal"] == true)
            for step in 1...3 {
                let update = try await pipeline.next(of: "i1")
                #expect(update.type == "status.updated")
                #expect(update.data["response"]?["step"] == .integer(Int64(step)))
                #expect(update.data["intent"]?["parameters"]?["name"] == "Jeff")
            }
            // Nothing follows: the next request of the same user is answered, and there was no further check.
            try await pipeline.request("GreetIntent", ["name": "nobody"], subject: "i2")
            #expect(try await pipeline.next { _ in true }.subject == "i2")
            #expect(looks.count == 6)
        }
    }

    @Test("R9: an update that fails ends the updates and becomes a dead letter; the interaction has already ended")
    func failedUpdateEndsUpdates() async throws {
        for fault in [TravellingHandler.Fault.defect, .effect] {
            let looks = Counter()
            let registration = IntentRegistration {
                TravellingHandler(looks: looks, fault: fault)
            }
            try await Pipeline.with([registration], ledger: InMemoryLedger()) { pipeline in
                try await pipeline.request("GreetIntent", subject: "i1")
                #expect(try await pipeline.next(of: "i1").data["terminal"] == true)
                try await eventually { try await !pipeline.records(of: .deadLetters).isEmpty }
                try await pipeline.request("GreetIntent", ["name": "nobody"], subject: "i2")
                #expect(try await pipeline.next { _ in true }.subject == "i2")
                #expect(looks.count == 1)
            }
        }
    }

    @Test("R42: an update is a turn like any other: journaled with its reads, and started by a timer")
    func updateIsJournaledTurn() async throws {
        let looks = Counter()
        let registration = IntentRegistration { TravellingHandler(looks: looks) }
        try await Pipeline.with([registration], settings: .unhurried) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            while try await pipeline.next(of: "i1").data["response"]?["step"] != 3 {}
            let turns = try await pipeline.records(of: .journal)
                .compactMap(TurnRecord.init)
                .filter { $0.eventType == EventType.timerFired.rawValue }
            #expect(turns.count == 6)
            #expect(turns.allSatisfy { $0.interactionID == "i1" && $0.reads.map(\.name) == ["look"] })
            #expect(turns.map(\.outcome) == [.noted, .reported, .noted, .reported, .noted, .reported])
        }
    }
}
