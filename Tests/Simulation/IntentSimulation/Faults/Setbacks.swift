internal import IntentEvents
internal import IntentLab
internal import IntentRuntime

/// Clocks that are set back right after they have said that a time is up, in a quarter of the seeds: the turn for that
/// comes before the deadline then (R13).
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Setbacks: @unchecked Sendable {
    /// Its numbers are its own, as those of ``RollingRestarts``; the seeds that are known to have found something have
    /// no setbacks.
    private static let stream: UInt64 = 25

    private unowned let world: World
    private var random: SeededNumbers
    private let isOn: Bool

    /// Decides whether there are any in a world.
    init(_ world: World) {
        self.world = world
        self.random = SeededNumbers(seed: world.seed, stream: Self.stream)
        self.isOn = self.random.happens(0.25)
    }

    /// A process has committed these records: if one of them says that a time is up, its clock may be set back.
    func recordCommitted(_ records: [OutgoingRecord], by process: SimulatedProcess) {
        guard self.isOn, self.world.scheduler.now < self.world.plan.quietAfter.milliseconds * 1_000,
            records.contains(where: Self.isTimer), self.random.coin()
        else { return }
        let jump = Int64.random(in: 1...4_000, using: &self.random)
        self.world.trace.record("FAULT sets the clock of \(process.description) back by \(jump) ms: a time was up")
        process.clockError -= jump
    }

    private static func isTimer(_ record: OutgoingRecord) -> Bool {
        record.headers.last { $0.name == EventHeaderName.type }?.text == EventType.timerFired.rawValue
    }
}
