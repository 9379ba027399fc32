package import IntentEvents
package import IntentKit
package import IntentRuntime

extension EventLog {
    /// All records of a deployment's topic so far.
    ///
    /// - Throws: ``LogError``.
    package func records(of topic: Topic, _ deployment: Deployment) async throws -> [LogRecord] {
        let name = topic.name(prefix: deployment.prefix)
        let topicPartitions = (0..<deployment.partitions).map { TopicPartition(name, $0) }
        var records: [LogRecord] = []
        try await self.read(try await self.offsets(topicPartitions, at: .end).mapValues { 0..<$0 }) { records += $0 }
        return records
    }

    /// Runs every journaled turn of a deployment again with these handlers, and returns the results.
    ///
    /// - Throws: ``LogError``; ``IncompleteJournal`` when a turn, or its event, is missing.
    package func replayedTurns(
        of deployment: Deployment,
        _ registry: IntentRegistry,
        settings: RuntimeSettings = RuntimeSettings()
    ) async throws -> [TurnReplay.Result] {
        let environment = StageEnvironment(
            stage: .resolve,
            registry: registry,
            settings: settings,
            deployment: deployment.id,
            prefix: deployment.prefix,
            partitions: deployment.partitions,
            worker: "replay"
        )
        var events: [RecordPosition: StoredRecord] = [:]
        for topic in [Topic.requests, .resolved, .confirmed, .signals] {
            for record in try await self.records(of: topic, deployment) {
                let stored = StoredRecord(record, topic: topic)
                events[stored.position] = stored
            }
        }
        var results: [TurnReplay.Result] = []
        for journaled in try await self.records(of: .journal, deployment) {
            guard let record = TurnRecord(journaled), let event = events[record.position] else {
                throw IncompleteJournal(offset: journaled.offset)
            }
            results.append(await TurnReplay(environment).replay(journaled, record, event: event))
        }
        return results
    }
}

/// A record of the journal that is not a turn, or whose event is missing.
package struct IncompleteJournal: Error {
    /// Its offset.
    package var offset: Int64
}
