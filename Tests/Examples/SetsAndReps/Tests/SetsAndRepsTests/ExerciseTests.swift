@testable import SetsAndReps
import Testing

@Suite("Words for exercises")
struct ExerciseTests {
    @Test(
        "A name or synonym is one exercise, part of a name all that have it",
        arguments: [
            ("Bench Press", [.benchPress]), (" ohp ", [.overheadPress]), ("bench", [.benchPress]),
            ("press", [.benchPress, .overheadPress]), ("squat", [.backSquat, .frontSquat]), ("yoga", []), ("", []),
        ] as [(String, [Exercise])]
    )
    func matches(words: String, exercises: [Exercise]) {
        #expect(Exercise.matches(for: words) == exercises)
    }
}
