package import IntentEvents
internal import IntentKit
package import IntentRuntime

extension Event {
    /// The event as it is read from a topic of the deployment `intents`.
    package func stored(on topic: Topic, partition: Int = 0, offset: Int64 = 0) -> StoredRecord {
        let record = LogRecord(
            topicPartition: TopicPartition(topic.name(prefix: "intents"), partition),
            offset: offset,
            timestamp: 0,
            key: nil,
            value: self.data.utf8,
            headers: self.headers.map { LogHeader($0.name, bytes: $0.value) }
        )
        return StoredRecord(record, topic: topic)
    }
}
