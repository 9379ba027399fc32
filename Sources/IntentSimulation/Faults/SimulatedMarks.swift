internal import IntentRuntime

/// The marks of a place in the deployment, and what counts against turns there: a disk, which processes come and go on.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedMarks: CrashMarks, @unchecked Sendable {
    let capacity = Int.max
    private var marks: [Int: TurnMark] = [:]
    private var hasDied = false
    private var suspects: SuspectTurns

    /// Makes a disk on which nothing is written yet.
    init(maxCrashes: Int) { self.suspects = SuspectTurns(maxCrashes: maxCrashes) }

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

    func forget(_ places: [TurnPlace]) {
        for place in places { self.suspects.forget(place) }
    }
}
