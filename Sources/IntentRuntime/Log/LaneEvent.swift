/// What a lane's poll brings.
package enum LaneEvent: Sendable {
    /// The group gave these partitions to this lane, with the group's committed offset of each (nil: none yet).
    ///
    /// Nothing is fetched until ``TransactionalLane/start(at:)`` is called: state is restored first. There may be no
    /// partitions in it, when the group has more lanes than partitions; a partition that `start` does not name begins
    /// at its committed offset.
    case assigned([TopicPartition: Int64?])

    /// The group takes these partitions away; `lost` when they already belong to somebody else.
    ///
    /// The caller drops what it holds for them and calls ``TransactionalLane/release()``; until then, unless they are
    /// lost, it may still commit what it has finished. Records that came with the same poll are not told of.
    case revoked([TopicPartition], lost: Bool)

    /// Records in the order of each partition.
    case records([LogRecord])
}
