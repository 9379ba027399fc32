package import IntentEvents

/// A log that reports the members of groups.
///
/// Only for display and for messages: no decision depends on it.
package protocol MembershipLog: EventLog {
    /// The members of a group, by name; none for a group without readers, or one that was never joined.
    ///
    /// While the group reassigns its partitions, its members have none.
    /// - Throws: ``LogError``, `unavailable`, `notAuthorized`.
    func members(of group: GroupName) async throws(LogError) -> [GroupMember]
}

package struct GroupMember: Hashable, Sendable {
    /// The lane's name; for another program, its client id.
    package var name: String
    /// Whether its client id is a lane's; any program can choose such an id.
    package var isLane: Bool
    /// The id that the group gave it.
    package var id: String
    /// The topics that it reads, in order; none when it does not say so in Kafka's own format.
    package var topics: [TopicName]
    /// The address from which it is connected, as the broker reports it.
    package var host: String
    /// The partitions that it has, in order.
    package var partitions: [TopicPartition]

    package init(
        name: String,
        isLane: Bool = true,
        id: String = "",
        host: String,
        topics: [TopicName] = [],
        partitions: [TopicPartition]
    ) {
        self.name = name
        self.isLane = isLane
        self.id = id
        self.topics = topics
        self.host = host
        self.partitions = partitions
    }
}
