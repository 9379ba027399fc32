internal import Logging

/// The states of a lane, from joining its group until it has left, and what it does about each event.
///
/// | a lane is | goes to |
/// |---|---|
/// | joining its group | restoring, when partitions are assigned; failing, when the log fails |
/// | restoring the state of its partitions | working, when it has it; restoring again, after a rebalance; failing, when the log or the disk fails |
/// | working | restoring, when partitions are assigned again; failing, when the log or the disk fails |
/// | failing: it has discarded what it held | joining, after a tenth of a second at first and five seconds at most |
/// | left | nothing |
///
/// Every state goes to left when the lane is stopped, or when only an operator can resolve an error. One task owns the
/// value; times are passed in.
struct LaneMachine: ~Copyable {
    /// What to do with an event of the group.
    enum Action {
        /// Restore the state of these partitions, then start to read them.
        case restore([TopicPartition: Int64?])
        /// Drop these partitions and the records of this poll.
        case release(Set<Int>)
        case process([LogRecord])
    }

    /// What to do after an error: log it, leave the group if that is called for, and join again after the pause.
    struct Recovery {
        var logLevel: Logger.Level
        /// Whether to leave the group, which otherwise keeps the lane's partitions for it until its session ends.
        var leavesGroup: Bool
        var pause: Duration
        /// The number of errors in a row, with no commit between them.
        var failures: Int
    }

    /// Whether to read on.
    enum Throttle { case pause, resume }

    private(set) var phase = LaneHealth.Phase.joining
    /// Whether reading is paused because too many turns are parked.
    private(set) var isPaused = false
    private var failures = 0
    /// Whether the group may have a member of the lane's name: an earlier process may have left one.
    private var mayBeMember = true
    /// When an error was last logged that lasts until someone acts.
    private var lastLogged: Duration?

    private static let logInterval = Duration.seconds(60)

    mutating func join() { self.phase = .joining }

    mutating func joined() {
        self.mayBeMember = true
        self.isPaused = false
    }

    mutating func receive(_ event: LaneEvent) -> Action {
        switch event {
        case .assigned(let offsets):
            self.phase = .restoring
            return .restore(offsets)
        case .revoked(let partitions, _):
            return .release(Set(partitions.map(\.partition)))
        case .records(let records):
            return .process(records)
        }
    }

    /// The state of the assigned partitions was restored.
    mutating func finishRestoring() { self.phase = .working }

    /// Whether to pause or to resume reading; nil to leave it as it is.
    ///
    /// A tenth of the parked turns must end before reading resumes.
    mutating func throttle(parked: Int, limit: Int) -> Throttle? {
        guard self.isPaused ? parked <= limit * 9 / 10 && parked < limit : parked >= limit else { return nil }
        self.isPaused.toggle()
        return self.isPaused ? .pause : .resume
    }

    /// An error has ended the session with the log.
    ///
    /// - Parameters:
    ///   - error: The error, as it is logged.
    ///   - hasCommitted: Whether the session has made progress.
    ///   - now: The time, by the monotonic clock.
    /// - Returns: What to do.
    mutating func fail(_ error: LogError, hasCommitted: Bool, at now: Duration) -> Recovery {
        self.phase = .failing("\(error)")
        self.failures = hasCommitted ? 1 : self.failures + 1
        return Recovery(
            logLevel: self.logLevel(of: error, at: now),
            leavesGroup: error.code == .transactionHeld && self.mayBeMember,
            pause: .milliseconds(min(5_000, 100 << min(self.failures - 1, 6))),
            failures: self.failures
        )
    }

    /// The lane has left its group while failing.
    mutating func leftGroup() { self.mayBeMember = false }

    mutating func stop() { self.phase = .left }

    /// A transaction that the broker holds, and a member that shares the group, last until someone acts: they are
    /// logged once a minute.
    private mutating func logLevel(of error: LogError, at now: Duration) -> Logger.Level {
        switch error.code {
        case .fenced: return .info
        case .transactionHeld, .groupShared:
            if let last = self.lastLogged, now - last < Self.logInterval { return .debug }
            self.lastLogged = now
            return error.code == .groupShared ? .error : .warning
        default: return .warning
        }
    }
}
