import IntentEvents
import IntentScenarios
import Testing

extension Conversation {
    /// The next event about this interaction.
    ///
    /// When nothing comes to anybody any more the test says, long before its time is up, who waits here.
    func next(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Event {
        do {
            return try await self.next(timeout: .seconds(60), patience: .seconds(30))
        } catch {
            Issue.record("\(self.id) of \(self.userID) does not go on: \(error)", sourceLocation: sourceLocation)
            throw error
        }
    }
}
