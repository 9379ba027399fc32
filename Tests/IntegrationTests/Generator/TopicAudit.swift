import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios

/// The content of the topics about each interaction when everything is over.
struct TopicAudit: Sendable {
    /// The counts for one interaction.
    struct Counts: Hashable, Sendable {
        var prompts = 0
        var terminals = 0
        var rejections: [String] = []
        var activities = 0
        var notifications = 0
        var deadLetters = 0
    }

    private(set) var counts: [InteractionID: Counts] = [:]

    /// Reads the topics from the beginning to their current end.
    init(_ pipeline: Pipeline) async throws {
        let topics: [Topic] = [.responses, .userActivities, .deadLetters]
        let partitions = topics.flatMap { topic in
            (0..<pipeline.deployment.partitions)
                .map {
                    TopicPartition(topic.name(prefix: pipeline.deployment.prefix), $0)
                }
        }
        let ends = try await pipeline.log.offsets(partitions, at: .lastStable)
        let reader = try await pipeline.log.makeReader(from: try await pipeline.log.offsets(partitions, at: .earliest))
        var isComplete = false
        while !isComplete {
            let batch = try await reader.next(maxRecords: 10_000, timeout: .milliseconds(100))
            for record in batch.records {
                self.record(record, Topic(name: record.topicPartition.topic, prefix: pipeline.deployment.prefix))
            }
            isComplete = ends.allSatisfy { batch.positions[$0.key, default: 0] >= $0.value }
        }
        await reader.close()
    }

    private mutating func record(_ record: LogRecord, _ topic: Topic?) {
        guard let id = record.header(EventHeaderName.subject).map({ InteractionID($0) }), let value = record.value,
            let data = try? JSONValue(parsing: value)
        else { return }
        switch (topic, record.header(EventHeaderName.type)) {
        case (.deadLetters, _): self.counts[id, default: Counts()].deadLetters += 1
        case (.userActivities, _): self.counts[id, default: Counts()].activities += 1
        case (.responses, EventType.userNotified.rawValue): self.counts[id, default: Counts()].notifications += 1
        case (.responses, EventType.promptIssued.rawValue): self.counts[id, default: Counts()].prompts += 1
        case (.responses, EventType.eventRejected.rawValue):
            self.counts[id, default: Counts()].rejections.append(data["reason"]?.string ?? "?")
        case (.responses, EventType.intentResponded.rawValue) where data["terminal"] == true:
            self.counts[id, default: Counts()].terminals += 1
        default: break
        }
    }

    /// The differences from the model; empty when there are none.
    func differences(from generated: GeneratedScenario) -> [String] {
        let id: InteractionID = "\(ScenarioGenerator.runID(seed: generated.seed))-\(generated.scenario.name)"
        let counts = self.counts[id] ?? Counts()
        let model = generated.expected
        var differences: [String] = []
        func compare<Value: Equatable>(_ name: String, _ expected: Value, _ actual: Value) {
            if expected != actual { differences.append("\(name) on the topics: expected \(expected), came \(actual)") }
        }
        compare("terminal responses", 1, counts.terminals)
        compare("prompts", model.prompts.count, counts.prompts)
        compare("rejections", model.rejections.sorted(), counts.rejections.sorted())
        compare("user activities", model.activities, counts.activities)
        compare("notifications", model.notifications, counts.notifications)
        compare("dead letters", model.deadLetters, counts.deadLetters)
        return differences
    }
}
