/// Where a user's run of a batch is.
///
/// | a run is | goes to |
/// |---|---|
/// | between two turns, before the first one, or after the last one | running, with the next item, when a worker task has taken the run; over, when there is none |
/// | running a turn | between two turns, when the turn ends; parked, when the batch's time limit ends first |
/// | parked: the running turn's result goes to the lane's mailbox | over, at the end of the batch |
enum RunPhase {
    struct Running {
        var input: TurnInput
        /// The earlier tries, if the event comes from the queue and has been tried.
        var again: ParkedTurn?
        /// When it began, by the monotonic clock.
        var since: Duration
        /// Whether the batch may park it.
        var isParkable: Bool
        var worker: BatchExecution.WorkerTask
    }

    /// Nothing runs.
    case between
    case running(Running)
    /// The turn that runs was parked; its task serves only that turn.
    case parked(BatchExecution.WorkerTask)
    /// It is over for this batch.
    case over(UserRun.Outcome)

    mutating func begin(_ turn: Running) { self = .running(turn) }

    /// The turn has ended.
    ///
    /// - Returns: The turn; nil if it was parked meanwhile.
    mutating func end() -> Running? {
        guard case .running(let turn) = self else { return nil }
        self = .between
        return turn
    }

    /// The batch no longer waits for turns that have run for that long.
    ///
    /// - Returns: The turn, if it is parked now.
    mutating func park(after duration: Duration, now: Duration) -> Running? {
        guard case .running(let turn) = self, turn.isParkable, now - turn.since >= duration else { return nil }
        self = .parked(turn.worker)
        return turn
    }

    /// Whether the running turn was parked; the batch may be over.
    var isParked: Bool {
        switch self {
        case .between, .running: false
        case .parked, .over: true
        }
    }

    mutating func close(_ outcome: UserRun.Outcome) { self = .over(outcome) }
}
