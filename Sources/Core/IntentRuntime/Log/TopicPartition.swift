package import IntentEvents

package struct TopicPartition: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The topic's full name, prefix included.
    package var topic: TopicName
    /// The partition's number, from 0.
    package var partition: Int

    package init(_ topic: TopicName, _ partition: Int) {
        self.topic = topic
        self.partition = partition
    }

    /// `topic[partition]`, as Kafka's own tools write it.
    package var description: String { "\(self.topic)[\(self.partition)]" }

    /// Orders by topic, then by partition.
    package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.topic, lhs.partition) < (rhs.topic, rhs.partition) }
}
