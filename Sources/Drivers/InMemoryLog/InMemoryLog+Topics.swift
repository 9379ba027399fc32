package import IntentEvents
package import IntentRuntime

/// Changes to topics that happen without the knowledge of their users.
extension InMemoryLog {
    /// Removes a partition's records before an offset, as retention does.
    package func trim(_ partition: TopicPartition, to offset: Int64) throws(LogError) {
        try self.transition { state throws(LogError) in
            _ = try state.partition(partition)
            state.topics[partition.topic]?.partitions[partition.partition].trim(to: offset)
            return ((), state.clients(of: [partition]))
        }
    }

    /// Removes a topic.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - keepingOffsets: Whether groups keep the offsets that they have committed for it, as with brokers that do not
    ///     clean them up; Kafka forgets them.
    /// - Throws: ``LogError``, `closed`.
    package func deleteTopic(_ name: TopicName, keepingOffsets: Bool = false) throws(LogError) {
        try self.transition { state throws(LogError) in
            let count = state.partitionCount(name)
            state.topics[name] = nil
            if !keepingOffsets {
                state.groups = state.groups.mapValues { group in
                    var group = group
                    group.committed = group.committed.filter { $0.key.topic != name }
                    return group
                }
            }
            return ((), state.clients(of: Set((0..<count).map { TopicPartition(name, $0) })))
        }
    }

    /// Gives a topic more partitions; the groups that read it reassign them.
    package func setPartitions(of topic: TopicName, to count: Int) throws(LogError) {
        let groups = try self.change { state throws(LogError) in
            state.topics[topic]?.setPartitions(count)
            return state.groups.filter { group in
                group.value.members.values.contains { $0.configuration.topics.contains(topic) }
            }
        }
        for group in groups.keys.sorted() { self.rebalance(group) }
    }

    /// Forgets what a group has committed, as Kafka does when the group has been empty for a week.
    package func forgetOffsets(of group: GroupName) throws(LogError) {
        try self.change { state throws(LogError) in state.groups[group]?.committed = [:] }
    }

    /// Sets offsets of a group, as an operator may while the group is empty.
    package func setOffsets(_ offsets: [TopicPartition: Int64], of group: GroupName) throws(LogError) {
        try self.change { state throws(LogError) in state.groups[group]?.committed.merge(offsets) { $1 } }
    }
}
