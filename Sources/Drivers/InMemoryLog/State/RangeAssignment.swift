import IntentEvents
import IntentRuntime

/// Kafka's range assignor: each topic's partitions in ranges, members in order.
///
/// Members that read the same topics, all with the same number of partitions, get the same numbers of each.
enum RangeAssignment {
    /// Each member's share, in the members' order.
    static func assign(topics: [[TopicName]], partitions: (TopicName) -> Int) -> [Set<TopicPartition>] {
        var shares = Array(repeating: Set<TopicPartition>(), count: topics.count)
        for topic in Set(topics.joined()).sorted() {
            let members = topics.indices.filter { topics[$0].contains(topic) }
            let count = partitions(topic)
            var next = 0
            for (index, member) in members.enumerated() {
                let size = count / members.count + (index < count % members.count ? 1 : 0)
                for partition in next..<(next + size) {
                    shares[member].insert(TopicPartition(topic, partition))
                }
                next += size
            }
        }
        return shares
    }
}
