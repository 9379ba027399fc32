/// How a lane leaves its group, in the terms of Kafka's consumer (`CloseOptions.GroupMembershipOperation`).
package enum LaneDeparture: Sendable {
    /// It remains a member: the group keeps its partitions for a lane of the same name until the session time-out.
    case remainInGroup
    /// It leaves the group, which assigns its partitions to others at once.
    case leaveGroup
}
