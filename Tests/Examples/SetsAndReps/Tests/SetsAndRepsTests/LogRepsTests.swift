import IntentTesting
import SetsAndReps
import Testing

@Suite("Logging reps")
struct LogRepsTests {
    @Test("Similar exercises are offered, and fifty repetitions have to be confirmed")
    func offersSimilarExercisesAndQuestionsHighReps() async throws {
        try await TestDeployment.with(.gym) { gym in
            let reps = try await gym.ask("LogReps", ["exercise": "press", "reps": 60])
            let choice = try await reps.prompt(.disambiguation, of: "exercise")
            #expect(choice.options == ["bench press", "overhead press"])
            try await reps.choose("bench press")
            #expect(try await reps.prompt(.intentConfirmation).dialog == "60 times, really?")
            try await reps.accept()
            let response = try await reps.response()
            #expect(response.code == "success")
            #expect(response.data["dialog"] == "60 bench press, logged.")
        }
    }

    @Test("All exercises are offered when none is named")
    func offersAllExercisesWhenNoneIsNamed() async throws {
        try await TestDeployment.with(.gym) { gym in
            let reps = try await gym.ask("LogReps", ["reps": 10])
            #expect(try await reps.prompt(.needsValue, of: "exercise").options.count == 5)
            try await reps.choose("deadlift")
            #expect(try await reps.response().code == "success")
        }
    }
}
