package import IntentRuntime

/// The recorder's store (R39).
///
/// An implementation guarantees the following, whatever the order of calls and crashes between them:
/// - a record is stored exactly once, in one transaction with the offset after it;
/// - a claim of a partition fences all earlier ones;
/// - each row is a function of the topics' contents, in whatever order they are read.
package protocol RecordStore: Sendable {
    /// Takes partitions over from their previous recorder, and says where to continue.
    /// - Throws: `RecordingError`.
    func claim(_ partitions: [TopicPartition]) async throws(RecordingError) -> RecordClaim

    /// Stores a batch.
    ///
    /// It may mix the records of several partitions, each partition's in order.
    ///
    /// Records before the stored offset are skipped: they were stored before. No contents of a record cause an error.
    /// - Returns: The next offset of each partition in the batch.
    /// - Throws: `RecordingError`, `fenced` when one of the partitions was claimed again; then nothing was stored.
    func record(
        _ records: [LogRecord],
        under claim: RecordClaim
    ) async throws(RecordingError) -> [TopicPartition: Int64]

    /// Stores the positions of partitions beyond their last record: there is no visible record in between.
    /// - Throws: `RecordingError`, `fenced` when one of the partitions was claimed again; then nothing was stored.
    func pass(_ offsets: [TopicPartition: Int64], under claim: RecordClaim) async throws(RecordingError)
}

/// The right to record some partitions, until another recorder claims them.
package struct RecordClaim: Hashable, Sendable {
    /// How often each partition has been claimed, including this time.
    package var epochs: [TopicPartition: Int64]
    /// The next offset to record of each partition; nil when none was recorded.
    package var starts: [TopicPartition: Int64?]
    /// The positions of partitions beyond their last record.
    package var passed: [TopicPartition: Int64]

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
