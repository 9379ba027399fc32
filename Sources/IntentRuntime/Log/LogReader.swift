internal import IntentEvents

/// Reads partitions from given offsets; joins no group, commits nothing, is seen by nobody.
///
/// Calls are made one at a time.
package protocol LogReader: Sendable {
    /// Returns what is there, at most `maxRecords`; waits up to the time-out for a first record.
    ///
    /// Returns early and without records when a position has passed what is not shown, such as control records.
    ///
    /// - Throws: ``LogError``, `offsetOutOfRange` when the log no longer holds the next offset.
    func next(maxRecords: Int, timeout: Duration) async throws(LogError) -> ReaderBatch

    /// The same for those whose keys begin with these bytes: the others count, but are not shown.
    func next(
        maxRecords: Int,
        timeout: Duration,
        keysBeginning prefix: [UInt8]
    ) async throws(LogError) -> ReaderBatch

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

/// What one call of a reader brings.
package struct ReaderBatch: Sendable {
    /// Records, in the order of each partition.
    package var records: [LogRecord]
    /// Where each partition's reading has got to: the next offset.
    ///
    /// Control records and aborted ones that were passed over count. At a ``EventLog/offsets(_:at:)`` end that was taken before, everything up to that end was read.
    package var positions: [TopicPartition: Int64]

    /// Gathers what was read.
    package init(records: [LogRecord], positions: [TopicPartition: Int64]) {
        self.records = records
        self.positions = positions
    }
}
