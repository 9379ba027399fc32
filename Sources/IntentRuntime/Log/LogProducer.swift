/// Writes records outside any transaction, idempotently: for clients such as `intentd produce`.
package protocol LogProducer: Sendable {
    /// Writes the records and returns where each one stands, in their order, when all are acknowledged.
    ///
    /// Calls may overlap. Records of one call and one partition keep their order.
    /// - Throws: ``LogError`` of the first record that was refused; others of the call may have been written.
    func send(_ records: [OutgoingRecord]) async throws(LogError) -> [Int64]

    /// Waits for what is under way, bounded, and frees the connection.
    func close() async
}
