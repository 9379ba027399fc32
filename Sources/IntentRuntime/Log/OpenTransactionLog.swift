/// A log that can show what an open transaction began with.
///
/// Only for telling who holds readers up: nothing that is not committed is ever worked on.
package protocol OpenTransactionLog: EventLog {
    /// The first record at or after each offset, committed or not; partitions without one are left out.
    func uncommittedRecords(at offsets: [TopicPartition: Int64]) async throws(LogError) -> [TopicPartition: LogRecord]
}
