package import IntentEvents

/// A topic to be made, or an existing one.
package struct TopicDescription: Hashable, Sendable {
    /// The topic's name, prefix included.
    package var name: TopicName
    package var partitions: Int
    /// How many brokers hold a copy.
    package var replicationFactor: Int
    /// Settings by Kafka's names, such as `cleanup.policy` or `retention.ms`; only those that differ from the
    /// broker's own when read back.
    package var configuration: [String: String]

    package init(name: TopicName, partitions: Int, replicationFactor: Int = 1, configuration: [String: String] = [:]) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.configuration = configuration
    }
}
