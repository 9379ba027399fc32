/// Detects that a reader makes no progress although there is more to read: a value, with time passed in.
///
/// It is for readers that read up to known ends and then stop. ``ReadingWatch`` is for those that read forever.
package struct ReadingProgress: Sendable {
    /// How long a reader may make no progress.
    package static let timeout = Duration.seconds(60)
    /// A longer pause between two checks does not count, since the reader was not reading either.
    private static let longestPause = Duration.seconds(10)

    private var positions: [TopicPartition: Int64]
    private var since: Duration
    private var lastShown: Duration

    /// Starts to watch a reader that starts at these offsets.
    ///
    /// - Parameters:
    ///   - starts: Its start offsets.
    ///   - now: The time by a monotonic clock.
    package init(from starts: [TopicPartition: Int64], at now: Duration) {
        self.positions = starts
        self.since = now
        self.lastShown = now
    }

    /// Records the reader's positions.
    ///
    /// - Parameters:
    ///   - positions: The reader's known positions by partition.
    ///   - open: The partitions that are not read to their ends yet, with these ends.
    ///   - now: The time, by the same clock.
    /// - Throws: ``LogError``, `noProgress`, when nothing has moved for ``timeout``.
    package mutating func show(
        _ positions: [TopicPartition: Int64],
        before open: [TopicPartition: Int64],
        at now: Duration
    ) throws(LogError) {
        var hasMoved = now - self.lastShown > Self.longestPause
        for (partition, position) in positions
        where self.positions.updateValue(position, forKey: partition) != position {
            hasMoved = true
        }
        self.lastShown = now
        if hasMoved { self.since = now }
        guard now - self.since >= Self.timeout, let (partition, end) = open.min(by: { $0.key < $1.key })
        else { return }
        let position = self.positions[partition].map { "\($0)" } ?? "its beginning"
        throw LogError(
            .noProgress,
            "reading is stalled: no progress at offset \(position) of \(partition) for "
                + "\((now - self.since).components.seconds) s, "
                + "although the partition ends at \(end). A transaction is open there, a record cannot be read, or the "
                + "broker returns no data",
            isRetriable: true
        )
    }
}
