package import IntentRuntime

/// A client's open transaction on a log in memory: readers stop before its first record.
package struct InMemoryTransaction: Sendable {
    private let log: InMemoryLog
    private let number: Int

    init(_ log: InMemoryLog, number: Int) {
        self.log = log
        self.number = number
    }

    /// Commits it: its records become visible.
    package func commit() throws(LogError) { try self.end(isCommitted: true) }

    /// Aborts it: its records never become visible.
    package func abort() throws(LogError) { try self.end(isCommitted: false) }

    private func end(isCommitted: Bool) throws(LogError) {
        try self.log.transition { state throws(LogError) in
            ((), state.endTransaction(self.number, isCommitted: isCommitted))
        }
    }
}

extension InMemoryLog: OpenTransactionLog {
    /// Begins a transaction as a client does, and writes these records in it.
    package func beginTransaction(_ records: [OutgoingRecord]) throws(LogError) -> InMemoryTransaction {
        let now = self.configuration.timestamp()
        let number = try self.change { state throws(LogError) in try state.beginTransaction(records, now: now) }
        return InMemoryTransaction(self, number: number)
    }

    package func uncommittedRecords(
        at offsets: [TopicPartition: Int64]
    ) async throws(LogError) -> [TopicPartition: LogRecord] {
        try self.change { state throws(LogError) in
            var found: [TopicPartition: LogRecord] = [:]
            for (topicPartition, offset) in offsets {
                found[topicPartition] = try state.partition(topicPartition).first(from: offset)
            }
            return found
        }
    }
}
