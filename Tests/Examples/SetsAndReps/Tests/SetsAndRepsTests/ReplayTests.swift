import Foundation
import IntentTesting
import SetsAndReps
import Testing

@Suite("Replay")
struct ReplayTests {
    @Test("The conversations of the file replay from their journal")
    func conversationsReplayFromJournal() async throws {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        try await TestDeployment.with(.gym) { gym in
            try await gym.play(scenarios: folder.appending(path: "Scenarios/gym.jsonl"))
            let turns = try await gym.replay()
            #expect(turns > 30)
        }
    }
}
