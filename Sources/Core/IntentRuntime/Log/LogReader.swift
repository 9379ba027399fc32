internal import IntentEvents

/// Reads partitions from given offsets; joins no group and commits nothing.
///
/// Calls are made one at a time.
package protocol LogReader: Sendable {
    /// Returns available records, at most `maxRecords`; waits up to the time-out for a first record.
    ///
    /// It returns early and without records when a position has passed invisible records, such as control records.
    ///
    /// - Throws: ``LogError``, `offsetOutOfRange` when the log no longer holds the next offset.
    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch

    /// The same, but returns only records whose keys begin with these bytes; the others count for positions.
    func next(maxRecords: Int, timeout: Duration, keysBeginning prefix: [UInt8]) async throws(LogError) -> ReaderBatch

    /// Stops reading and frees the connection.
    func close() async
}

extension LogReader {
    package func next(
        maxRecords: Int,
        timeout: Duration,
        keysBeginning prefix: [UInt8]
    ) async throws(LogError) -> ReaderBatch {
        var batch = try await self.next(maxRecords: maxRecords, timeout: timeout)
        batch.records.removeAll { record in
            !record.content.withParts { $0.key?.starts(with: prefix) ?? prefix.isEmpty }
        }
        return batch
    }
}

/// The result of one call of a reader.
package struct ReaderBatch: Sendable {
    /// Records, in the order of each partition.
    package var records: [LogRecord]
    /// The position of each partition: the next offset.
    ///
    /// It includes control records and aborted records that were skipped. At a ``EventLog/offsets(_:at:)`` end that was
    /// queried before, everything up to that end was read.
    package var positions: [TopicPartition: Int64]

    package init(records: [LogRecord], positions: [TopicPartition: Int64]) {
        self.records = records
        self.positions = positions
    }
}
