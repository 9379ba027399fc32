/// When a lane's file is checkpointed, and up to which offsets it is then valid.
///
/// Only the lane's task uses it.
struct StateCheckpoint {
    private enum Phase {
        /// No checkpoint is in progress.
        ///
        /// Goes to `asked`.
        case idle
        /// The ends of the partitions are known, before a commit that is still to come.
        ///
        /// Goes to `writing` when that commit is made: it proves that no other lane has written before. There is no
        /// other transition: a lane whose commit fails is discarded.
        case asked(ends: [Int: Int64], at: Duration)
        /// The changes before that commit are being written.
        ///
        /// Goes to `idle` when all of them are.
        case writing(ends: [Int: Int64], at: Duration)
    }

    /// How many entries may change before the next checkpoint: a returning lane reads that many from its topic.
    private let lag: Int
    /// The maximum time between checkpoints, even with few changes: a file older than an hour is not used.
    private static let longestPause = Duration.seconds(600)
    private var phase = Phase.idle
    /// When the file was last known to be valid.
    private var last: Duration?
    /// When the ends of the partitions may be queried again.
    private var notBefore = Duration.zero

    /// Prepares checkpoints after this many changes.
    init(lag: Int) { self.lag = lag }

    /// Whether the next commit should begin a checkpoint.
    func isDue(changes: Int, at now: Duration) -> Bool {
        guard case .idle = self.phase, now >= self.notBefore else { return false }
        return changes >= self.lag || self.isAged(at: now)
    }

    /// Whether a checkpoint is due by time, although there is nothing to commit.
    func isAged(at now: Duration) -> Bool {
        guard case .idle = self.phase, now >= self.notBefore, let last = self.last else { return false }
        return now - last >= Self.longestPause
    }

    /// The file is valid up to where partitions end now.
    mutating func recordRestored(at now: Duration) { self.last = self.last ?? now }

    /// The ends of the partitions could not be queried: this is retried after a while.
    mutating func postpone(at now: Duration) { self.notBefore = now + .seconds(5) }

    /// The ends of the partitions are known, before the commit that begins a checkpoint.
    mutating func begin(ends: [Int: Int64], at now: Duration) {
        self.phase = .asked(ends: ends, at: now)
        self.last = now
    }

    /// A commit was made.
    ///
    /// - Returns: Whether a checkpoint has begun with it: all earlier changes are due.
    mutating func recordCommitted() -> Bool {
        guard case .asked(let ends, let time) = self.phase else { return false }
        self.phase = .writing(ends: ends, at: time)
        return true
    }

    /// Whether there is something to be written.
    var isWriting: Bool { if case .writing = self.phase { true } else { false } }

    /// How much is written at once: little, since users wait for it.
    var slice: Int { max(1, min(2_000, self.lag / 10)) }

    /// Ends the checkpoint: nothing is due any more.
    ///
    /// - Returns: The offsets up to which the file is valid with the last write, and how long ago they were queried.
    mutating func finish(at now: Duration) -> (ends: [Int: Int64], age: Duration) {
        guard case .writing(let ends, let time) = self.phase else { return ([:], .zero) }
        self.phase = .idle
        return (ends, now - time)
    }

    /// A partition belongs to another lane now.
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
