package import IntentEvents

/// A log that can say who reads for a group.
///
/// Only for telling people: nothing is decided by it.
package protocol MembershipLog: EventLog {
    /// The members of a group, by name; none while nobody reads, and for a group that nobody has joined.
    ///
    /// While the group shares its partitions out, its members have none.
    /// - Throws: ``LogError``, `unavailable`, `notAuthorized`.
    func members(of group: GroupName) async throws(LogError) -> [GroupMember]
}

/// A member of a consumer group.
package struct GroupMember: Hashable, Sendable {
    /// The lane's name; of another program, its client id.
    package var name: String
    /// Where it is connected from, as the broker says it.
    package var host: String
    /// The partitions that it has, in order.
    package var partitions: [TopicPartition]

    /// Describes a member.
    package init(name: String, host: String, partitions: [TopicPartition]) {
        self.name = name
        self.host = host
        self.partitions = partitions
    }
}
