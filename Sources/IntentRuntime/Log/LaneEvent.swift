/// What a lane's poll brings.
package enum LaneEvent: Sendable {
    /// The group gave these partitions to this lane, with the group's committed offset of each (nil: none yet).
    ///
    /// Nothing is fetched until ``TransactionalLane/start(at:)`` is called: state is restored first.
    case assigned([TopicPartition: Int64?])

    /// The group takes these partitions away; `lost` when they already belong to somebody else.
    ///
    /// The caller drops what it holds for them and calls ``TransactionalLane/release()``.
    case revoked([TopicPartition], lost: Bool)

    /// Records in the order of each partition.
    case records([LogRecord])
}
