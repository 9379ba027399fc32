internal import IntentEvents

/// What a recorder still has to tell its group about how far it has got.
///
/// The store's own offsets say where to go on; the group's are for those who ask for the lag. To tell them with each batch
/// cost a broker more than to hand the batch out. A value, with offsets and time passed in.
struct UnreportedOffsets {
    /// How long the group may not know of what was recorded.
    private static let patience = Duration.milliseconds(500)

    /// What was not told yet, by partition.
    private var untold: [TopicPartition: Int64] = [:]
    private var since: Duration?

    /// Notes what has been recorded.
    mutating func note(_ offsets: [TopicPartition: Int64], at now: Duration) {
        guard !offsets.isEmpty else { return }
        self.untold.merge(offsets) { $1 }
        self.since = self.since ?? now
    }

    /// How long it may wait from now; nil when there is nothing to tell.
    func remaining(at now: Duration) -> Duration? {
        self.since.map { max(.zero, $0 + Self.patience - now) }
    }

    /// Takes what is to be told now: nothing before its time has come.
    mutating func popDue(at now: Duration) -> [TopicPartition: Int64] {
        guard let remaining = self.remaining(at: now), remaining == .zero else { return [:] }
        return self.drain()
    }

    /// Takes all that was not told yet.
    mutating func drain() -> [TopicPartition: Int64] {
        defer { self = UnreportedOffsets() }
        return self.untold
    }
}
