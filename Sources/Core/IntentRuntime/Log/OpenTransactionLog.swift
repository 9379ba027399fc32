/// A log that can show the first record of an open transaction.
///
/// This is only for messages about blocked readers: uncommitted records are never processed.
package protocol OpenTransactionLog: EventLog {
    /// The first record at or after each offset, committed or not; partitions without one are left out.
    func uncommittedRecords(at offsets: [TopicPartition: Int64]) async throws(LogError) -> [TopicPartition: LogRecord]
}
