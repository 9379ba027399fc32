import IntentEvents
import IntentRecords
import IntentRuntime

extension RecordedEvent {
    /// The record as it was read from its topic.
    func record(prefix: String) -> LogRecord {
        LogRecord(
            topicPartition: TopicPartition(self.position.topic.name(prefix: prefix), self.position.partition),
            offset: self.position.offset,
            timestamp: self.timestamp.milliseconds,
            key: self.key,
            value: self.value,
            headers: self.headers
        )
    }
}
