/// Where the recorder keeps what the topics held (R39).
///
/// What an implementation promises, whatever the order of calls and crashes between them:
/// - a record is kept exactly once, in one transaction with the offset after it;
/// - who claims a partition shuts out whoever claimed it before;
/// - each row is a function of the topics' contents, whatever the order of reading.
package protocol RecordStore: Sendable {
    /// Takes partitions over from whoever had them, and says where to go on.
    /// - Throws: ``RecordingError``.
    func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim

    /// Keeps a batch, records of several partitions mixed, each partition's in their order.
    ///
    /// Records before the stored offset are left out: they were kept before. Nothing that a record holds is an error.
    /// - Returns: The next offset of each partition in the batch.
    /// - Throws: ``RecordingError``, `fenced` when one of the partitions was claimed again; nothing was kept then.
    func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64]

    /// Notes how far partitions were read beyond their last record: what stands between is no record for anybody.
    /// - Throws: ``RecordingError``, `fenced` when one of the partitions was claimed again; nothing was noted then.
    func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError)
}

/// The right to record some partitions, until somebody else claims them.
package struct RecordClaim: Hashable, Sendable {
    /// How often each partition has been claimed, this time included.
    package var epochs: [TopicPartition: Int64]
    /// The next offset to record of each partition; nil when none was recorded.
    package var starts: [TopicPartition: Int64?]
    /// How far partitions were read beyond their last record.
    package var passed: [TopicPartition: Int64]

    /// Describes a claim.
    package init(
        epochs: [TopicPartition: Int64],
        starts: [TopicPartition: Int64?],
        passed: [TopicPartition: Int64] = [:]
    ) {
        self.epochs = epochs
        self.starts = starts
        self.passed = passed
    }
}
