/// An event that a lane's poll returns.
package enum LaneEvent: Sendable {
    /// The group assigned these partitions to this lane, with the group's committed offset of each (nil: none yet).
    ///
    /// Nothing is fetched until ``TransactionalLane/start(at:)`` is called, since state is restored first. The
    /// assignment is empty when the group has more lanes than partitions. A partition that `start` does not name begins
    /// at its committed offset.
    case assigned([TopicPartition: Int64?])

    /// The group revokes these partitions; `lost` when another member owns them already.
    ///
    /// The caller drops what it holds for them and calls ``TransactionalLane/release()``. Until then, unless they are
    /// lost, it may still commit what it has finished. Records of the same poll are discarded.
    case revoked([TopicPartition], lost: Bool)

    /// Records in the order of each partition.
    case records([LogRecord])
}
