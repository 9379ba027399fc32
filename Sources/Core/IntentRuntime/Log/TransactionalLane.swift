/// One consumer and one transactional producer that belong together: read, process, write and commit as one unit.
///
/// Calls are made one at a time, in this order: `poll`; on ``LaneEvent/assigned(_:)`` restore state and call `start`;
/// on ``LaneEvent/revoked(_:lost:)`` drop it and call `release`; on records process them and call `commit`. The
/// assignment does not change between two polls, so a commit never includes partitions that were given away since. Only
/// `wake` may be called at any time, from anywhere.
///
/// A lane that has thrown is closed and replaced by a new one; what it held is read from the log again.
package protocol TransactionalLane: Sendable {
    /// Waits for something to do.
    ///
    /// It returns at once with available records (up to `maxRecords`), or when a first record, a change of assignment,
    /// a call of `wake`, or the time-out comes. It may return nothing.
    ///
    /// Only committed records are returned (`read_committed`), and none between an assignment and `start`. A lane that
    /// restores for long must poll meanwhile, without waiting, or its group considers it dead (Kafka's
    /// `max.poll.interval.ms`).
    /// - Throws: ``LogError``; afterwards the lane is no longer usable.
    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent]

    /// Starts to fetch the partitions of the last ``LaneEvent/assigned(_:)`` at these offsets (nil: the earliest
    /// record).
    ///
    /// An offset that the log does not hold is never replaced by another one: a later poll throws `offsetOutOfRange`.
    func start(at offsets: [TopicPartition: Int64?]) async throws(LogError)

    /// Gives the revoked partitions back to the group.
    func release() async throws(LogError)

    /// Writes a batch's outputs and offsets as one transaction, and returns when it is committed.
    ///
    /// Errors that are transient, and after which the transaction is certainly not committed, are handled inside:
    /// abort, and the same batch again.
    /// - Throws: ``LogError`` with `fenced` when another member owns the partitions (nothing was written),
    ///   `recordTooLarge` (nothing was written; the lane can still be used), `outcomeUnknown`, or another.
    func commit(_ batch: LaneCommit) async throws(LogError)

    /// Stops fetching these partitions until ``resume(_:)``: back-pressure. Records already fetched still come.
    func pause(_ partitions: [TopicPartition]) async throws(LogError)

    func resume(_ partitions: [TopicPartition]) async throws(LogError)

    /// The position of each started partition: the next offset that may come.
    ///
    /// It includes markers and aborted records that were skipped, so an idle partition's position reaches its
    /// ``OffsetQuery/lastStable`` offset. Empty before `start`.
    func positions() async -> [TopicPartition: Int64]

    /// Makes a waiting `poll` (or else the next one) return at once.
    func wake()

    /// Leaves the group: aborts an open transaction, and closes consumer and producer within a few seconds, whatever
    /// the broker does.
    ///
    /// A log whose groups have no session time-outs shares the partitions out at once in either case.
    func close(_ departure: LaneDeparture) async
}

extension TransactionalLane {
    /// Leaves the group, to come back.
    package func close() async { await self.close(.remainInGroup) }
}

/// One batch's results: written together or not at all.
package struct LaneCommit: Sendable {
    /// Outputs, in the order that they will have in each partition.
    package var records: [OutgoingRecord]
    /// The next offset to read, for every assigned partition whose input or timers took part.
    ///
    /// It is never empty: committing an offset, even an unchanged one, makes the log check that this lane still owns
    /// the partition (KIP-447). A batch of timers alone commits unchanged offsets again.
    package var offsets: [TopicPartition: Int64]

    package init(records: [OutgoingRecord], offsets: [TopicPartition: Int64]) {
        self.records = records
        self.offsets = offsets
    }
}

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
