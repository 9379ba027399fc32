internal import IntentLab
internal import IntentRuntime

/// An operator who deploys new versions: asks one process after another to leave, in half of the seeds.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class RollingRestarts: @unchecked Sendable {
    /// It has random numbers of its own, so that seeds without it are what they were before it existed; none of the
    /// seeds that are known to have found something has it.
    private static let stream: UInt64 = 44

    private unowned let world: World
    private var random: SeededNumbers
    private var meanPause = Duration.zero

    /// Creates an operator for a world.
    init(_ world: World) {
        self.world = world
        self.random = SeededNumbers(seed: world.seed, stream: Self.stream)
    }

    /// Begins, if there is one in this seed.
    func begin() {
        guard self.random.coin() else { return }
        self.meanPause = .milliseconds(self.random.pick([700, 2_000, 6_000]))
        self.scheduleNext()
    }

    private func scheduleNext() {
        let pause = Int64.random(in: 0...(2 * self.meanPause.milliseconds), using: &self.random)
        self.world.scheduler.at(.milliseconds(pause)) {
            guard self.world.scheduler.now < self.world.plan.quietAfter.milliseconds * 1_000 else { return }
            let member = self.random.pick(self.world.members)
            member.restart(after: self.random.duration(upTo: .seconds(2))) { process in
                self.world.faults.kill(process, at: "the end of the operator's patience")
            }
            self.scheduleNext()
        }
    }
}
