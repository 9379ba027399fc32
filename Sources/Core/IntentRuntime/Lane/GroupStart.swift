/// Where a lane starts to read a topic's partition, given what the group and the state know about it (R6).
enum GroupStart: Hashable {
    /// At the group's offset; at the beginning if there is none.
    case atGroup
    /// At the state's offset: the group is behind it, or has lost its offsets.
    ///
    /// Everything before it is in the state already, and would be done twice.
    case atState(Int64)
    /// The group is ahead of the state's offset: the events in between were not processed, unless they concern no turn.
    case ahead(of: Int64)
    /// The group has offsets of other topics, and has lost those of this one: Kafka deletes them with the topic.
    case forgotten(Int64)

    /// Decides.
    ///
    /// - Parameters:
    ///   - state: The offset up to which the state holds; nil when it does not say.
    ///   - group: The group's offset; nil when it has none.
    ///   - groupHasOthers: Whether the group has any offset in the lane's partitions.
    init(state: Int64?, group: Int64?, groupHasOthers: Bool) {
        guard let state else {
            self = .atGroup
            return
        }
        guard let group else {
            // A stage that has read nothing of a topic needs no offset of it.
            self = state == 0 ? .atGroup : groupHasOthers ? .forgotten(state) : .atState(state)
            return
        }
        self = group == state ? .atGroup : group < state ? .atState(state) : .ahead(of: state)
    }
}
