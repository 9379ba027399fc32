internal import IntentRuntime

/// The offsets that a recorder has not reported to its group yet.
///
/// The store's own offsets say where to continue; the group's are for displaying the lag. Reporting them with each
/// batch cost a broker more than delivering the batch. This is a value, with offsets and time passed in.
struct UnreportedOffsets {
    /// How long the report may be delayed.
    private static let delay = Duration.milliseconds(500)

    private var offsets: [TopicPartition: Int64] = [:]
    private var since: Duration?

    mutating func record(_ offsets: [TopicPartition: Int64], at now: Duration) {
        guard !offsets.isEmpty else { return }
        self.offsets.merge(offsets) { $1 }
        self.since = self.since ?? now
    }

    /// How long the report may wait from now; nil when there is nothing to report.
    func remaining(at now: Duration) -> Duration? {
        self.since.map { max(.zero, $0 + Self.delay - now) }
    }

    /// Removes and returns the offsets to report now: nothing before their time has come.
    mutating func popDue(at now: Duration) -> [TopicPartition: Int64] {
        guard let remaining = self.remaining(at: now), remaining == .zero else { return [:] }
        return self.drain()
    }

    mutating func drain() -> [TopicPartition: Int64] {
        defer { self = UnreportedOffsets() }
        return self.offsets
    }
}
