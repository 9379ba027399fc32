internal import IntentRuntime

/// The marks of a place in the deployment, and what counts against turns there: a disk, which processes come and go on.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedMarks: CrashMarks, @unchecked Sendable {
    let capacity = Int.max
    private var marks: [Int: TurnMark] = [:]
    private var hasDied = false
    /// What counts against whom, as it stands on the disk.
    private(set) var suspects: SuspectTurns
    private unowned let world: World

    /// Makes a disk on which nothing is written yet.
    init(_ world: World) {
        self.world = world
        self.suspects = SuspectTurns(maxCrashes: world.traps.maxCrashes)
    }

    /// The process dies of itself.
    func noteDeath() { self.hasDied = true }

    /// What the next process finds.
    func reopen(_ clock: any RuntimeClock) -> SuspectTurns {
        if self.hasDied { self.suspects.noteDeath(of: Array(self.marks.values), at: clock.now) }
        self.hasDied = false
        self.marks = [:]
        return self.suspects
    }

    func set(_ mark: TurnMark?, at index: Int) { self.marks[index] = mark }

    /// Written some time later: a process that has died by then has not written it.
    func forget(_ places: [TurnPlace]) {
        let process = self.world.scheduler.process
        self.world.scheduler.at(self.world.traps.writing()) {
            guard process.phase != .dead else { return }
            for place in places { self.suspects.forget(place) }
        }
    }

    /// Nothing is waited for: a process that leaves is one more that has not written it.
    func settle() async {}
}
