internal import IntentRuntime

/// The marks and the crash counts of a member of the deployment: a disk that outlives processes.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedMarks: CrashMarks, @unchecked Sendable {
    let capacity = Int.max
    private var marks: [Int: TurnMark] = [:]
    private var hasDied = false
    /// The crash counts on the disk.
    private(set) var suspects: SuspectTurns
    private unowned let world: World

    /// Creates an empty disk.
    init(_ world: World) {
        self.world = world
        self.suspects = SuspectTurns(maxCrashes: world.traps.maxCrashes)
    }

    /// Notes a crash of the process.
    func recordCrash() { self.hasDied = true }

    /// The counts that the next process finds.
    func reopen(_ clock: any RuntimeClock) -> SuspectTurns {
        if self.hasDied { self.suspects.recordCrash(of: Array(self.marks.values), at: clock.now) }
        self.hasDied = false
        self.marks = [:]
        return self.suspects
    }

    func set(_ mark: TurnMark?, at index: Int) { self.marks[index] = mark }

    /// Written some time later: a process that is dead by then has not written it.
    func forget(_ turns: [TurnKey]) {
        let process = self.world.scheduler.process
        self.world.scheduler.at(self.world.traps.writing()) {
            guard process.phase != .dead else { return }
            for turn in turns { self.suspects.forget(turn) }
        }
    }

    /// Waits for nothing: a process that leaves is one more that has not written it.
    func settle() async {}
}
