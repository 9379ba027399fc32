/// The lag of a group on a topic.
package struct ConsoleLag: Hashable, Sendable {
    /// The group, without the deployment's prefix.
    package var group: String
    /// The topic, without the deployment's prefix.
    package var topic: String
    /// The number of records that are still to be read.
    package var lag: Int64
    /// The number of partitions on which it lags.
    package var partitionsBehind: Int

    /// Creates a lag.
    package init(group: String, topic: String, lag: Int64, partitionsBehind: Int) {
        self.group = group
        self.topic = topic
        self.lag = lag
        self.partitionsBehind = partitionsBehind
    }
}
