internal import IntentRuntime

/// Finds the offsets, in one partition of the journal, of the turns that are its chains' heads.
struct AnchorFinder {
    /// The position of a turn.
    struct Position {
        var offset: Int64
        /// Its record's time, in milliseconds since 1970.
        var timestamp: Int64
    }

    /// The number of offsets in the first window; each further window is four times as large.
    private static let firstWindow: Int64 = 2_000

    let log: any EventLog
    let partition: TopicPartition

    /// Finds the positions of turns by their digests, from the journal's end backwards, since heads are near it.
    ///
    /// - Parameters:
    ///   - digests: The digests; those that the journal does not hold are left out.
    ///   - range: What the journal holds.
    /// - Returns: The positions.
    /// - Throws: ``LogError``; `AuditError`.
    func positions(of digests: Set<String>, in range: Range<Int64>) async throws -> [String: Position] {
        var positions: [String: Position] = [:]
        var end = range.upperBound
        var window = Self.firstWindow
        while positions.count < digests.count, end > range.lowerBound {
            let start = max(range.lowerBound, end - window)
            let cursor = PartitionCursor(self.log, self.partition, from: start, to: end)
            while let records = try await cursor.next() {
                for record in records {
                    let digest = RecordDigest.of(record)
                    guard digests.contains(digest) else { continue }
                    positions[digest] = Position(offset: record.offset, timestamp: record.timestamp)
                }
            }
            end = start
            window *= 4
        }
        return positions
    }
}
