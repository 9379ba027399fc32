/// How far a group is behind on a topic.
package struct ConsoleLag: Hashable, Sendable {
    /// The group, without the deployment's prefix.
    package var group: String
    /// The topic, without the deployment's prefix.
    package var topic: String
    /// How many records are still to be read.
    package var lag: Int64
    /// How many partitions it is behind on.
    package var partitionsBehind: Int

    /// Describes a lag.
    package init(group: String, topic: String, lag: Int64, partitionsBehind: Int) {
        self.group = group
        self.topic = topic
        self.lag = lag
        self.partitionsBehind = partitionsBehind
    }
}
