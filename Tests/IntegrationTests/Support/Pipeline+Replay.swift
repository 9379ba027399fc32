import IntentKit
import IntentLab
import IntentRuntime

extension Pipeline {
    /// Runs every journaled turn again with these handlers, and returns the results.
    func replayAll(_ extensions: [IntentExtension]) async throws -> [TurnReplay.Result] {
        try await self.log.replayedTurns(of: self.deployment, try IntentRegistry(extensions))
    }
}
