internal import IntentEvents
internal import IntentLab
internal import IntentRuntime

/// Requests whose handlers end their process, again and again, in a third of the seeds.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Traps: @unchecked Sendable {
    /// Its numbers are its own, as those of ``RollingRestarts``; the seeds that are known to have found something have
    /// no traps.
    private static let stream: UInt64 = 56

    /// How many deaths a turn may have before it runs alone.
    let maxCrashes: Int
    /// In which stage, 0 to 2, the handlers of an interaction end their process.
    private(set) var stages: [String: Int] = [:]
    /// How often those of an interaction have done so.
    private(set) var sprung: [String: Int] = [:]
    private unowned let world: World
    private var random: SeededNumbers

    /// Sets traps for some of a world's interactions.
    init(_ world: World) {
        self.world = world
        self.random = SeededNumbers(seed: world.seed, stream: Self.stream)
        self.maxCrashes = self.random.pick([1, 2, 3])
        guard self.random.happens(0.33) else { return }
        for _ in 0..<self.random.pick([1, 1, 2]) {
            let interaction = "i\(Int.random(in: 0..<world.plan.interactions, using: &self.random))"
            self.stages[interaction] = self.random.pick([0, 1, 2, 2])
        }
    }

    /// How long it takes until what counts no more is forgotten on a disk.
    func writing() -> Duration { self.random.duration(upTo: .seconds(2)) }

    /// A handler of an interaction is at work: where there is a trap, its process dies of itself, and this never
    /// returns.
    func meet(_ interaction: String, stage: Int, _ member: Member, _ process: SimulatedProcess) async {
        guard self.stages[interaction] == stage, process.phase == .running, !self.world.isOver else { return }
        self.sprung[interaction, default: 0] += 1
        member.marks.noteDeath()
        self.world.faults.die(process, at: "the trap of \(interaction)", for: self.random.duration(upTo: .seconds(2)))
        await self.world.hangs.hang()
    }
}
