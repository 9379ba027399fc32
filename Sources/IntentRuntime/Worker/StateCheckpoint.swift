/// When a lane's file is brought up to date, and up to where it then may say that it is true.
///
/// Used by the lane's task alone.
struct StateCheckpoint {
    private enum Phase {
        /// Nothing is under way. Goes to `asked`.
        case idle
        /// It is known where the partitions ended before a commit that is still to come. Goes to `writing` when that is
        /// made: it proves that no other lane has written before. There is no other way: a lane whose commit fails is over.
        case asked(ends: [Int: Int64], at: Duration)
        /// What had changed by that commit is being written. Goes to `idle` when all of it is.
        case writing(ends: [Int: Int64], at: Duration)
    }

    /// How many entries may change before the next one: what a lane that comes back reads of its topic.
    private let lag: Int
    /// After how long there is one, however little has changed: what is older than an hour is not used.
    private static let longestPause = Duration.seconds(600)
    private var phase = Phase.idle
    /// When it was last known that the file is true.
    private var last: Duration?
    /// When it may be asked again where partitions end.
    private var notBefore = Duration.zero

    /// Prepares checkpoints after so many changes.
    init(lag: Int) {
        self.lag = lag
    }

    /// Whether the next commit is to begin one.
    func isDue(changes: Int, at now: Duration) -> Bool {
        guard case .idle = self.phase, now >= self.notBefore else { return false }
        return changes >= self.lag || self.isAged(at: now)
    }

    /// Whether so much time has passed that there is to be one although nothing is to be committed.
    func isAged(at now: Duration) -> Bool {
        guard case .idle = self.phase, now >= self.notBefore, let last = self.last else { return false }
        return now - last >= Self.longestPause
    }

    /// The file is true up to where partitions end now.
    mutating func noteRestored(at now: Duration) { self.last = self.last ?? now }

    /// It could not be seen where the partitions end: it is tried again after a while.
    mutating func postpone(at now: Duration) { self.notBefore = now + .seconds(5) }

    /// It is known where the partitions end, before the commit that begins one.
    mutating func begin(ends: [Int: Int64], at now: Duration) {
        self.phase = .asked(ends: ends, at: now)
        self.last = now
    }

    /// A commit was made.
    ///
    /// - Returns: Whether a checkpoint has begun with it: what has changed before is due.
    mutating func noteCommitted() -> Bool {
        guard case .asked(let ends, let time) = self.phase else { return false }
        self.phase = .writing(ends: ends, at: time)
        return true
    }

    /// Whether there is something to be written.
    var isWriting: Bool { if case .writing = self.phase { true } else { false } }

    /// How much of what is due is written at once: little, since users wait for it.
    var slice: Int { max(1, min(2_000, self.lag / 10)) }

    /// Takes the end: nothing is due any more.
    ///
    /// - Returns: Up to where the file is true with what is written last, and how long ago that was found out.
    mutating func finish(at now: Duration) -> (ends: [Int: Int64], age: Duration) {
        guard case .writing(let ends, let time) = self.phase else { return ([:], .zero) }
        self.phase = .idle
        return (ends, now - time)
    }

    /// A partition is somebody else's now.
    mutating func forget(partition: Int) {
        switch self.phase {
        case .idle: break
        case .asked(var ends, let time):
            ends[partition] = nil
            self.phase = .asked(ends: ends, at: time)
        case .writing(var ends, let time):
            ends[partition] = nil
            self.phase = .writing(ends: ends, at: time)
        }
    }
}
