import IntentEvents
import IntentKit
import IntentRuntime
import Testing

extension Pipeline {
    /// Runs every journaled turn again, with these handlers, and says what came of each.
    func replayAll(_ registrations: [IntentRegistration]) async throws -> [TurnReplay.Outcome] {
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
        var outcomes: [TurnReplay.Outcome] = []
        for journaled in try await self.records(of: .journal) {
            let value = try #require(journaled.value)
            let record = try #require(TurnRecord(json: JSONValue(parsing: value)))
            let event = try #require(events[record.position])
            outcomes.append(await TurnReplay(environment).replay(value, record, event: event))
        }
        return outcomes
    }
}
