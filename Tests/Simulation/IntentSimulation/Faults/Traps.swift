internal import IntentEvents
internal import IntentLab
internal import IntentRuntime

/// Requests whose handlers make their process crash, again and again, in a third of the seeds.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Traps: @unchecked Sendable {
    /// Its numbers are its own, as those of ``RollingRestarts``; the seeds that are known to have found something have
    /// no traps.
    private static let stream: UInt64 = 56

    /// The number of crashes after which a turn runs alone.
    let maxCrashes: Int
    /// The stage, 0 to 2, in which the handlers of an interaction make their process crash.
    private(set) var stages: [String: Int] = [:]
    /// The number of crashes that the handlers of each interaction have caused.
    private(set) var sprung: [String: Int] = [:]
    private unowned let world: World
    private var random: SeededNumbers

    /// Sets traps for some of a world's interactions.
    init(_ world: World) {
        self.world = world
        self.random = SeededNumbers(seed: world.seed, stream: Self.stream)
        self.maxCrashes = self.random.pick([1, 2, 3])
        guard self.random.happens(0.33), world.plan.interactions > 0 else { return }
        for _ in 0..<self.random.pick([1, 1, 2]) {
            let interaction = "i\(Int.random(in: 0..<world.plan.interactions, using: &self.random))"
            self.stages[interaction] = self.random.pick([0, 1, 2, 2])
        }
    }

    /// The time until obsolete counts are removed from a disk.
    func writing() -> Duration { self.random.duration(upTo: .seconds(2)) }

    /// Called when a handler of an interaction works: where there is a trap, its process crashes, and this never
    /// returns.
    func meet(_ interaction: String, stage: Int, _ member: Member, _ process: SimulatedProcess) async {
        guard self.stages[interaction] == stage, process.phase == .running, !self.world.isOver else { return }
        self.sprung[interaction, default: 0] += 1
        member.marks.recordCrash()
        self.world.faults.die(process, at: "the trap of \(interaction)", for: self.random.duration(upTo: .seconds(2)))
        await self.world.hangs.hang()
    }
}
