import IntentEvents
import IntentScenarios
import Testing

extension Conversation {
    /// The next event about this interaction.
    ///
    /// When no conversation receives anything any more, the test reports who waits here, long before its time is up.
    func next(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Event {
        do {
            return try await self.next(timeout: .seconds(60), idleTimeout: .seconds(30))
        } catch {
            Issue.record("\(self.id) of \(self.userID) does not go on: \(error)", sourceLocation: sourceLocation)
            throw error
        }
    }
}
