/// Writes records outside any transaction, idempotently: for clients such as `intentd produce`.
package protocol LogProducer: Sendable {
    /// Writes the records and returns the offset of each, in order, when all are acknowledged.
    ///
    /// Calls may overlap. Records of one call and one partition keep their order.
    /// - Throws: ``LogError`` of the first record that was refused; others of the call may have been written.
    func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64]

    /// Waits for writes in flight, for a bounded time, and frees the connection.
    func close() async
}
