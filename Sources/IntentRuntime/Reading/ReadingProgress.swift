/// Notices that a reader stands although what it is to read goes on: a value, with time passed in.
///
/// For readers that read up to known ends and leave then. ``ReadingWatch`` is for those that read for ever.
package struct ReadingProgress: Sendable {
    /// How long reading may stand.
    package static let patience = Duration.seconds(60)
    /// Who has not looked for so long was not reading either: that time does not count.
    private static let longestPause = Duration.seconds(10)

    private var positions: [TopicPartition: Int64]
    private var since: Duration
    private var lastShown: Duration

    /// Begins to watch a reader that begins at these offsets.
    ///
    /// - Parameters:
    ///   - starts: Where it begins.
    ///   - now: The time since some moment, by a clock that nobody sets.
    package init(from starts: [TopicPartition: Int64], at now: Duration) {
        self.positions = starts
        self.since = now
        self.lastShown = now
    }

    /// Takes in how far the reader has come.
    ///
    /// - Parameters:
    ///   - positions: Where the reader is, of each partition that it knows something of.
    ///   - open: The partitions that are not read to their ends yet, with these ends.
    ///   - now: The time, as at the beginning.
    /// - Throws: ``LogError``, `noProgress`, when nothing has moved for ``patience``.
    package mutating func show(
        _ positions: [TopicPartition: Int64],
        before open: [TopicPartition: Int64],
        at now: Duration
    ) throws(LogError) {
        var hasMoved = now - self.lastShown > Self.longestPause
        for (place, position) in positions where self.positions.updateValue(position, forKey: place) != position {
            hasMoved = true
        }
        self.lastShown = now
        if hasMoved { self.since = now }
        guard now - self.since >= Self.patience, let (place, end) = open.min(by: { $0.key < $1.key }) else { return }
        let position = self.positions[place].map { "\($0)" } ?? "its beginning"
        throw LogError(
            .noProgress,
            "reading has stood at offset \(position) of \(place) for \((now - self.since).components.seconds) s, although it "
                + "goes on to \(end): a transaction is open there, a record cannot be read, or its broker gives nothing",
            isRetriable: true
        )
    }
}
