import IntentKit
import IntentTesting
import SetsAndReps
import Testing

/// The handler by itself, and in a conversation: in this process, in milliseconds.
@Suite("Logging sets")
struct LogSetTests {
    @Test("The weight of the last set is the guess for the next one")
    func guessesWeightOfLastSet() async throws {
        try await TestDeployment.with(.gym) { gym in
            let first = try await gym.ask("LogSetIntent", ["exercise": "press", "reps": 5])
            let choice = try await first.prompt(.disambiguation, of: "exercise")
            #expect(choice.options == ["bench press", "overhead press"])
            try await first.choose("bench press")
            try await first.prompt(.needsValue, of: "weight")
            try await first.answer(80)
            #expect(try await first.response().code == "success")

            let second = try await gym.ask("LogSetIntent", ["exercise": "bench", "reps": 8])
            let response = try await second.response()
            #expect(response.parameters["weight"]?.number == 80)
            #expect(response.details["setsSoFar"] == 2)
            try await gym.replay()
        }
    }

    @Test("A weight that nobody has lifted is refused with a reason")
    func refusesImpossibleWeight() async throws {
        let handler = try TestHandler("LogSetIntent", of: .gym)
        let outcome = try await handler.resolve("weight", in: ["exercise": "deadlift", "weight": 700])
        guard case .single(.unsupported(let reason)) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(reason?.name == "beyondHumanStrength")
    }

    @Test("A set is logged once, however often the handler is called after a crash")
    func logsSetOnceDespiteCrashes() async throws {
        let handler = try TestHandler("LogSetIntent", of: .gym)
        for _ in 0..<2 {
            let response = try await handler.handle(["exercise": "deadlift", "reps": 5, "weight": 100])
            #expect(response.details["setsSoFar"] == 1)
        }
        #expect(try await handler.effects() == ["log set"])
    }
}
