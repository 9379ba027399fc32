internal import IntentEvents
internal import IntentRuntime

/// What any client can read: every record of every topic, in the order of its partition.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class History: @unchecked Sendable {
    /// The records, by topic, then by partition.
    private(set) var records: [Topic: [Int: [LogRecord]]] = [:]
    /// The events of `responses`, in the order in which they were read.
    private(set) var responses: [Event] = []

    /// The records of a topic's partition.
    func records(of topic: Topic, _ partition: Int) -> [LogRecord] { self.records[topic]?[partition] ?? [] }

    /// Reads on, and says who is to hear what.
    func read(_ reader: any LogReader, onResponse: (Event) -> Void) async throws(LogError) {
        let batch = try await reader.next(maxRecords: 1_000, timeout: .milliseconds(500))
        for record in batch.records {
            guard let topic = Topic(name: record.topicPartition.topic, prefix: "intents") else { continue }
            self.records[topic, default: [:]][record.topicPartition.partition, default: []].append(record)
            guard topic == .responses, let event = try? StoredRecord(record, topic: topic).decoded() else { continue }
            self.responses.append(event)
            onResponse(event)
        }
    }

    /// The entries of the topic `state` that are left when it is compacted.
    func state() -> [StateKey: [UInt8]] {
        var entries: [StateKey: [UInt8]] = [:]
        for (_, records) in (self.records[.state] ?? [:]).sorted(by: { $0.key < $1.key }) {
            for record in records {
                guard let key = record.key.flatMap(StateKey.init) else { continue }
                entries[key] = record.value
            }
        }
        return entries
    }
}
