internal import IntentEvents

/// How far a recorder has read beyond the last records: over markers, and over aborted records.
///
/// The offset that is kept with the records stands before them. Once retention has removed them as well, it would look as
/// if events were lost. A value, with offsets and time passed in.
struct PassedOffsets {
    /// How long it may wait to be kept, if nobody leaves before.
    private static let patience = Duration.seconds(60)

    /// The offsets that are kept, by partition.
    private var kept: [TopicPartition: Int64] = [:]
    /// Those beyond them.
    private(set) var uncounted: [TopicPartition: Int64] = [:]
    private var since: Duration?

    /// Knows of no partition.
    init() {}

    /// Begins where a claim does.
    init(_ claim: RecordClaim) {
        for (place, start) in claim.starts { self.kept[place] = start ?? 0 }
        self.kept.merge(claim.passed) { max($0, $1) }
    }

    /// Notes where a lane has got to all of whose records were kept.
    mutating func note(_ positions: [TopicPartition: Int64], at now: Duration) {
        for (place, position) in positions {
            guard let kept = self.kept[place], position > kept else { continue }
            self.uncounted[place] = position
            self.since = self.since ?? now
        }
    }

    /// What has to be kept now.
    func due(at now: Duration) -> [TopicPartition: Int64] {
        self.since.map { now - $0 >= Self.patience } == true ? self.uncounted : [:]
    }

    /// Takes in that these offsets are kept.
    mutating func count(_ offsets: [TopicPartition: Int64]) {
        for (place, offset) in offsets {
            self.kept[place] = max(offset, self.kept[place] ?? 0)
            if self.uncounted[place] ?? .max <= offset { self.uncounted[place] = nil }
        }
        if self.uncounted.isEmpty { self.since = nil }
    }
}
