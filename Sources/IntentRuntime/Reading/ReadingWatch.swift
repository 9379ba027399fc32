/// Notices when reading stands although there is more to read, and why: a value, with time and offsets passed in.
///
/// It is shown, every few seconds, where each partition's reading has got to and where the partition ends. Partitions
/// that are not read for now (paused, being restored) are not shown, and are as good as new when they come back.
package struct ReadingWatch: Sendable {
    /// When what is told of.
    package struct Limits: Sendable {
        /// How long reading may stand at one offset before that is an error; it is told again after each such time.
        package var standing = Duration.seconds(60)
        /// How long an open transaction may hold readers up before that is a warning; it is told again each minute.
        package var openTransaction = Duration.seconds(5)
        /// How often to look.
        package var interval = Duration.seconds(5)

        /// The defaults.
        package init() {}
    }

    /// One partition as it is shown.
    package struct Sight: Hashable, Sendable {
        /// Where reading had got to before the ends were asked for.
        package var position: Int64
        /// Where readers of committed records stop.
        package var lastStable: Int64
        /// The offset after the last record, open transactions included.
        package var end: Int64

        /// Describes a partition.
        package init(position: Int64, lastStable: Int64, end: Int64) {
            self.position = position
            self.lastStable = lastStable
            self.end = end
        }
    }

    /// Something to tell.
    package enum Finding: Hashable, Sendable {
        /// Reading stands although there is more that could be read: told for the `count`th time.
        case standing(TopicPartition, Sight, for: Duration, count: Int)
        /// A transaction has been open for so long, and nobody can read on: told for the `count`th time.
        case heldUp(TopicPartition, Sight, for: Duration, count: Int)
        /// What was told of is over: reading goes on.
        case goesOn(TopicPartition, after: Duration)
        /// The partition ends before what was read of it: it was made anew, or lost its end.
        case shrunk(TopicPartition, Sight)
    }

    private enum State {
        /// Nothing is left to read, or the offset has just changed. Goes to any other.
        case moving
        /// Stands before the last stable offset. Goes to `moving` when the position changes, else to `heldUp`.
        case standing(at: Int64, since: Duration, told: Int)
        /// All is read up to the last stable offset, and more is behind it. Goes to `moving` when that one changes.
        case heldUp(at: Int64, since: Duration, told: Int)
        /// The end was before the position once. Goes to any other.
        case shrunk
    }

    private let limits: Limits
    private var states: [TopicPartition: State] = [:]
    private var lastShown: Duration?

    /// What holds readers up is told of again after this.
    private static let reminder = Duration.seconds(60)

    /// The partitions of which was told that reading stands or is held up, and which are so still.
    package var toldOf: Set<TopicPartition> {
        Set(
            self.states
                .filter { _, state in
                    switch state {
                    case .standing(_, _, let told), .heldUp(_, _, let told): told > 0
                    case .moving, .shrunk: false
                    }
                }
                .keys
        )
    }

    /// Watches nothing yet.
    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Takes in what there is to see.
    ///
    /// - Parameters:
    ///   - sights: All partitions that are being read.
    ///   - now: The time since some moment, by a clock that nobody sets.
    /// - Returns: What there is to tell, by partition.
    package mutating func show(_ sights: [TopicPartition: Sight], at now: Duration) -> [Finding] {
        // Who has not looked for long was not reading either: that time does not count.
        if let last = self.lastShown, now - last > max(self.limits.interval * 4, .seconds(5)) { self.states = [:] }
        self.lastShown = now
        var findings: [Finding] = []
        var states: [TopicPartition: State] = [:]
        for (place, sight) in sights.sorted(by: { $0.key < $1.key }) {
            let (state, told) = self.next(self.states[place] ?? .moving, place, sight, now)
            states[place] = state
            findings += told
        }
        self.states = states
        return findings
    }

    private func next(
        _ state: State,
        _ place: TopicPartition,
        _ sight: Sight,
        _ now: Duration
    ) -> (State, [Finding]) {
        if sight.position > sight.end {
            // Once may be a leader that has just been elected and does not know its own end yet.
            guard case .shrunk = state else { return (.shrunk, Self.over(state, place, now)) }
            return (.shrunk, [.shrunk(place, sight)])
        }
        if sight.position < sight.lastStable {
            guard case .standing(sight.position, let since, let told) = state else {
                return (.standing(at: sight.position, since: now, told: 0), Self.over(state, place, now))
            }
            guard now - since >= self.limits.standing * (told + 1) else { return (state, []) }
            return (
                .standing(at: sight.position, since: since, told: told + 1),
                [.standing(place, sight, for: now - since, count: told + 1)]
            )
        }
        if sight.lastStable < sight.end {
            guard case .heldUp(sight.lastStable, let since, let told) = state else {
                return (.heldUp(at: sight.lastStable, since: now, told: 0), Self.over(state, place, now))
            }
            guard now - since >= self.limits.openTransaction + Self.reminder * told else { return (state, []) }
            return (
                .heldUp(at: sight.lastStable, since: since, told: told + 1),
                [.heldUp(place, sight, for: now - since, count: told + 1)]
            )
        }
        return (.moving, Self.over(state, place, now))
    }

    /// The end of what was told of, if anything was.
    private static func over(_ state: State, _ place: TopicPartition, _ now: Duration) -> [Finding] {
        switch state {
        case .standing(_, let since, let told), .heldUp(_, let since, let told):
            told > 0 ? [.goesOn(place, after: now - since)] : []
        case .moving, .shrunk: []
        }
    }
}
