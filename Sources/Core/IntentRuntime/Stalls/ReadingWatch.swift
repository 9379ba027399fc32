/// Detects that reading makes no progress although there is more to read, and why: a value, with time and offsets
/// passed in.
///
/// Every second it is shown each partition's position and end. Partitions that are not read at the moment (paused,
/// being restored) are not shown, and count as new when they come back.
package struct ReadingWatch: Sendable {
    /// When findings are reported.
    package struct Limits: Sendable {
        /// How long reading may stay at one offset before that is an error; it is reported again each time this
        /// interval has passed.
        package var stalled = Duration.seconds(60)
        /// How long an open transaction may block readers before that is a warning; it is reported again each minute.
        package var openTransaction = Duration.seconds(5)
        /// The interval between checks.
        package var interval = Duration.seconds(1)

        package init() {}
    }

    /// The offsets of one partition.
    package struct Observation: Hashable, Sendable {
        /// The reader's position before the ends were queried.
        package var position: Int64
        /// The last stable offset, where readers of committed records stop.
        package var lastStable: Int64
        /// The offset after the last record, open transactions included.
        package var end: Int64

        package init(position: Int64, lastStable: Int64, end: Int64) {
            self.position = position
            self.lastStable = lastStable
            self.end = end
        }
    }

    package enum Finding: Hashable, Sendable {
        /// Reading makes no progress although there is more; reported for the `count`th time.
        case stalled(TopicPartition, Observation, for: Duration, count: Int)
        /// A transaction has been open for so long, and blocks all readers; reported for the `count`th time.
        case blocked(TopicPartition, Observation, for: Duration, count: Int)
        /// A reported problem is over: reading continues.
        case resumed(TopicPartition, after: Duration)
        /// The partition ends before the position: it was recreated, or lost its end.
        case shrunk(TopicPartition, Observation)
    }

    private enum State {
        /// Nothing is left to read, or the offset has just changed. Goes to any other.
        case moving
        /// Stays before the last stable offset.
        ///
        /// Goes to `moving` when the position changes, else to `blocked`.
        case stalled(at: Int64, since: Duration, reports: Int)
        /// Everything up to the last stable offset is read, and there is more behind it.
        ///
        /// Goes to `moving` when that offset changes.
        case blocked(at: Int64, since: Duration, reports: Int)
        /// The end was before the position once. Goes to any other.
        case shrunk
    }

    private let limits: Limits
    private var states: [TopicPartition: State] = [:]
    private var lastShown: Duration?

    /// A pause between two checks after which both count as the first.
    private static let longPause = Duration.seconds(20)
    /// The interval after which an open transaction is reported again.
    private static let reminder = Duration.seconds(60)

    /// The partitions with a reported problem that is not over.
    package var reported: Set<TopicPartition> {
        Set(
            self.states
                .filter { _, state in
                    switch state {
                    case .stalled(_, _, let reports), .blocked(_, _, let reports): reports > 0
                    case .moving, .shrunk: false
                    }
                }
                .keys
        )
    }

    /// The time at which each partition was first seen at the offset at which it stays although there is more, and not
    /// for the first time.
    package var notAdvancingSince: [TopicPartition: Duration] {
        self.states.compactMapValues { state in
            switch state {
            case .stalled(_, let since, _), .blocked(_, let since, _): since == self.lastShown ? nil : since
            case .moving, .shrunk: nil
            }
        }
    }

    package init(_ limits: Limits) { self.limits = limits }

    /// Checks the current offsets.
    ///
    /// - Parameters:
    ///   - observations: All partitions that are being read.
    ///   - now: The time by a monotonic clock.
    /// - Returns: The findings by partition.
    package mutating func show(_ observations: [TopicPartition: Observation], at now: Duration) -> [Finding] {
        // After a long pause between two checks, the pause does not count, since nobody was reading either.
        if let last = self.lastShown, now - last > max(self.limits.interval * 4, Self.longPause) { self.states = [:] }
        self.lastShown = now
        var findings: [Finding] = []
        var states: [TopicPartition: State] = [:]
        for (partition, observation) in observations.sorted(by: { $0.key < $1.key }) {
            let (state, reported) = self.next(self.states[partition] ?? .moving, partition, observation, now)
            states[partition] = state
            findings += reported
        }
        self.states = states
        return findings
    }

    private func next(
        _ state: State,
        _ partition: TopicPartition,
        _ observation: Observation,
        _ now: Duration
    ) -> (State, [Finding]) {
        if observation.position > observation.end {
            // A single observation may come from a newly elected leader that does not know its own end yet.
            guard case .shrunk = state else { return (.shrunk, Self.over(state, partition, now)) }
            return (.shrunk, [.shrunk(partition, observation)])
        }
        if observation.position < observation.lastStable {
            guard case .stalled(observation.position, let since, let reports) = state else {
                return (.stalled(at: observation.position, since: now, reports: 0), Self.over(state, partition, now))
            }
            guard now - since >= self.limits.stalled * (reports + 1) else { return (state, []) }
            return (
                .stalled(at: observation.position, since: since, reports: reports + 1),
                [.stalled(partition, observation, for: now - since, count: reports + 1)]
            )
        }
        if observation.lastStable < observation.end {
            guard case .blocked(observation.lastStable, let since, let reports) = state else {
                return (.blocked(at: observation.lastStable, since: now, reports: 0), Self.over(state, partition, now))
            }
            guard now - since >= self.limits.openTransaction + Self.reminder * reports else { return (state, []) }
            return (
                .blocked(at: observation.lastStable, since: since, reports: reports + 1),
                [.blocked(partition, observation, for: now - since, count: reports + 1)]
            )
        }
        return (.moving, Self.over(state, partition, now))
    }

    /// The end of a reported problem, if there was one.
    private static func over(_ state: State, _ partition: TopicPartition, _ now: Duration) -> [Finding] {
        switch state {
        case .stalled(_, let since, let reports), .blocked(_, let since, let reports):
            reports > 0 ? [.resumed(partition, after: now - since)] : []
        case .moving, .shrunk: []
        }
    }
}
