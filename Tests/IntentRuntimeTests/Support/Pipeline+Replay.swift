import IntentKit
import IntentLab
import IntentRuntime

extension Pipeline {
    /// Runs every journaled turn again with these handlers, and returns the results.
    func replayAll(_ registrations: [IntentRegistration]) async throws -> [TurnReplay.Result] {
        let registry = try IntentRegistry([IntentExtension("Tests") { registrations }])
        return try await self.log.replayedTurns(of: self.deployment, registry)
    }
}
