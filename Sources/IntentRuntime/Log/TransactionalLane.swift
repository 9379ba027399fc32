/// One consumer and one transactional producer that belong together: read, process, write, commit, as one.
///
/// Calls are made one at a time, in this order: `poll`; on ``LaneEvent/assigned(_:)`` restore state and call `start`;
/// on ``LaneEvent/revoked(_:lost:)`` drop it and call `release`; on records process them and call `commit`. Between
/// two polls the assignment does not change, so a commit never speaks for partitions that were given away since. Only
/// `wake` may be called at any time, from anywhere.
///
/// A lane that has thrown is closed and made anew; what it held is read from the log again.
package protocol TransactionalLane: Sendable {
    /// Waits for something to do: returns at once with what is there (up to `maxRecords` records), or when a first
    /// record, a change of assignment, a call of `wake`, or the time-out comes. May return nothing.
    ///
    /// Only committed records are returned (`read_committed`), and none between an assignment and `start`: a lane that
    /// restores for long polls meanwhile, without waiting, or its group takes it for dead (Kafka's
    /// `max.poll.interval.ms`).
    /// - Throws: ``LogError``; afterwards the lane is of no more use.
    func poll(maxRecords: Int, timeout: Duration) async throws(LogError) -> [LaneEvent]

    /// Begins to fetch the partitions of the last ``LaneEvent/assigned(_:)`` at these offsets (nil: the earliest
    /// record there is).
    ///
    /// An offset that the log does not hold is never replaced by another one: a later poll throws `offsetOutOfRange`.
    func start(at offsets: [TopicPartition: Int64?]) async throws(LogError)

    /// Gives the revoked partitions back to the group.
    func release() async throws(LogError)

    /// Writes a batch's outputs and offsets as one transaction, and returns when it is committed.
    ///
    /// Errors after which the transaction is certainly not committed, and that pass, are met inside: abort, and the
    /// same batch again.
    /// - Throws: ``LogError`` with `fenced` when another member owns the partitions (nothing was written),
    ///   `recordTooLarge` (nothing was written; the lane can be used on), `outcomeUnknown`, or another.
    func commit(_ batch: LaneCommit) async throws(LogError)

    /// Stops fetching these partitions until ``resume(_:)``: back-pressure. Records already fetched still come.
    func pause(_ partitions: [TopicPartition]) async throws(LogError)

    /// Fetches these partitions again.
    func resume(_ partitions: [TopicPartition]) async throws(LogError)

    /// Where the reading of each started partition has got to: the next offset that may come.
    ///
    /// Markers and aborted records that were passed over count, so an idle partition's position comes to be its
    /// ``OffsetQuery/lastStable`` offset. Empty before `start`.
    func positions() async -> [TopicPartition: Int64]

    /// Makes a waiting `poll` (or else the next one) return at once.
    func wake()

    /// Leaves: aborts what is open, closes consumer and producer within a few seconds, whatever the broker does.
    func close() async
}
