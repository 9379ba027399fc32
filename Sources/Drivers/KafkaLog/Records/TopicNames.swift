import CRDKafka
import IntentEvents
import IntentRuntime

/// The names of messages' topics, so that a record doesn't cost a new string.
///
/// A topic's handle is stable while one of its partitions is assigned; forget all when that changes.
struct TopicNames {
    private var names: [OpaquePointer: TopicName] = [:]
    /// The topic of the last message: messages of one topic are mostly adjacent.
    private var last: (topic: OpaquePointer, name: TopicName)?

    mutating func name(of topic: OpaquePointer?) -> TopicName {
        guard let topic else { return "" }
        if let last, last.topic == topic { return last.name }
        if let known = self.names[topic] {
            self.last = (topic, known)
            return known
        }
        let name = TopicName(String(cString: rd_kafka_topic_name(topic)))
        self.names[topic] = name
        return name
    }

    /// The partition of a message, or of an error in place of a record.
    mutating func topicPartition(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> TopicPartition {
        TopicPartition(self.name(of: message.pointee.rkt), Int(message.pointee.partition))
    }

    /// Forgets all names: handles may be reused for other topics.
    mutating func forget() {
        self.names = [:]
        self.last = nil
    }
}
