import IntentEvents
import IntentKit
import IntentRuntime
import Testing

extension Pipeline {
    /// Runs every journaled turn again, with these handlers, and says what came of each.
    func replayAll(_ registrations: [IntentRegistration]) async throws -> [TurnReplay.Result] {
        let registry = try IntentRegistry([IntentExtension("Tests") { registrations }])
        let environment = StageEnvironment(
            stage: .resolve,
            registry: registry,
            deployment: self.deployment.id,
            prefix: "intents",
            partitions: self.deployment.partitions,
            worker: "replay"
        )
        var events: [RecordPosition: StoredRecord] = [:]
        for topic in [Topic.requests, .resolved, .confirmed, .signals] {
            for record in try await self.records(of: topic) {
                let stored = StoredRecord(record, topic: topic)
                events[stored.position] = stored
            }
        }
        var results: [TurnReplay.Result] = []
        for journaled in try await self.records(of: .journal) {
            let record = try #require(TurnRecord(journaled))
            let event = try #require(events[record.position])
            results.append(await TurnReplay(environment).replay(journaled, record, event: event))
        }
        return results
    }
}
