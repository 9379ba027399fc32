@testable import SetsAndReps
import Testing

@Suite("Names of exercises")
struct ExerciseTests {
    @Test(
        "A name or synonym matches one exercise, part of a name all that contain it",
        arguments: [
            ("Bench Press", [.benchPress]), (" ohp ", [.overheadPress]), ("bench", [.benchPress]),
            ("press", [.benchPress, .overheadPress]), ("squat", [.backSquat, .frontSquat]), ("yoga", []), ("", []),
        ] as [(String, [Exercise])]
    )
    func matchesNamesSynonymsAndParts(words: String, exercises: [Exercise]) {
        #expect(Exercise.matches(for: words) == exercises)
    }
}
