import Foundation
import IntentTesting
import SetsAndReps
import Testing

@Suite("Replay")
struct ReplayTests {
    @Test("The conversations of the file, and every turn of them again from its journal")
    func replay() async throws {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        try await TestDeployment.with(.gym) { gym in
            try await gym.play(scenarios: folder.appending(path: "Scenarios/gym.jsonl"))
            let turns = try await gym.replay()
            #expect(turns > 30)
        }
    }
}
