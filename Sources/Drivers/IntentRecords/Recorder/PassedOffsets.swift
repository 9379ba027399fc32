internal import IntentRuntime

/// The positions of a recorder beyond its last records: behind markers and aborted records.
///
/// The offset that is stored with the records is before them. Once retention has removed them as well, this would look
/// like a loss of events. This is a value, with offsets and time passed in.
struct PassedOffsets {
    /// How long they may remain unstored, unless the lane leaves earlier.
    private static let interval = Duration.seconds(60)

    /// The stored offsets, by partition.
    private var kept: [TopicPartition: Int64] = [:]
    /// Positions beyond the stored ones.
    private(set) var uncounted: [TopicPartition: Int64] = [:]
    private var since: Duration?

    init() {}

    /// Starts with the offsets of a claim.
    init(_ claim: RecordClaim) {
        for (topicPartition, start) in claim.starts { self.kept[topicPartition] = start ?? 0 }
        self.kept.merge(claim.passed) { max($0, $1) }
    }

    /// Records the positions of a lane, all of whose records were stored.
    mutating func record(_ positions: [TopicPartition: Int64], at now: Duration) {
        for (topicPartition, position) in positions {
            guard let kept = self.kept[topicPartition], position > kept else { continue }
            self.uncounted[topicPartition] = position
            self.since = self.since ?? now
        }
    }

    /// The offsets that have to be stored now.
    func due(at now: Duration) -> [TopicPartition: Int64] {
        self.since.map { now - $0 >= Self.interval } == true ? self.uncounted : [:]
    }

    /// Records that these offsets are stored.
    mutating func count(_ offsets: [TopicPartition: Int64]) {
        for (topicPartition, offset) in offsets {
            self.kept[topicPartition] = max(offset, self.kept[topicPartition] ?? 0)
            if self.uncounted[topicPartition] ?? .max <= offset { self.uncounted[topicPartition] = nil }
        }
        if self.uncounted.isEmpty { self.since = nil }
    }
}
