import IntentEvents
import IntentKit
import IntentRuntime
import Testing

extension Pipeline {
    /// Runs every journaled turn again, with these handlers, and says what came of each.
    func replayAll(_ extensions: [IntentExtension]) async throws -> [TurnReplay.Result] {
        let environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry(extensions),
            deployment: self.deployment.id,
            prefix: self.deployment.prefix,
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

    /// All records of a topic so far.
    private func records(of topic: Topic) async throws -> [LogRecord] {
        let name = topic.name(prefix: self.deployment.prefix)
        let partitions = (0..<self.deployment.partitions).map { TopicPartition(name, $0) }
        var open = try await self.log.offsets(partitions, at: .end).filter { $0.value > 0 }
        let reader = try await self.log.makeReader(from: open.mapValues { _ in 0 })
        var records: [LogRecord] = []
        while !open.isEmpty {
            let batch = try await reader.next(maxRecords: 1_000, timeout: .seconds(1))
            records.append(contentsOf: batch.records)
            for (partition, position) in batch.positions where position >= open[partition] ?? .max {
                open[partition] = nil
            }
        }
        await reader.close()
        return records
    }
}
