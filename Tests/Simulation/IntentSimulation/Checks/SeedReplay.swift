internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Runs every journaled turn of a seed again, from its record alone, and compares the bytes (R42).
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SeedReplay: @unchecked Sendable {
    private unowned let world: World
    /// What differs; nil before the last turn was compared.
    private(set) var violations: [String]?

    /// Creates a replay of a world that has settled.
    init(_ world: World) { self.world = world }

    /// Runs all turns again; the handlers' services and their ledger are not called.
    func run() async {
        let history = self.world.history
        let replay = TurnReplay(self.environment)
        var violations: [String] = []
        for (partition, records) in (history.records[.journal] ?? [:]).sorted(by: { $0.key < $1.key }) {
            for journaled in records {
                guard let turn = TurnRecord(journaled), let event = self.stored(turn.position) else {
                    violations.append("replay: journal/\(partition)/\(journaled.offset) has no turn, or that no event")
                    continue
                }
                let result = await replay.replay(journaled, turn, event: event)
                guard !result.isMatch else { continue }
                violations.append(
                    "replay: the turn of \(turn.stage) for \(turn.position) \(turn.eventType), which was "
                        + "\(turn.outcome), is \(result.record.map { "\($0.outcome)" } ?? "nothing") when it runs again"
                )
            }
        }
        self.violations = violations
    }

    private func stored(_ position: RecordPosition) -> StoredRecord? {
        self.world.history.records(of: position.topic, position.partition).first { $0.offset == position.offset }
            .map { StoredRecord($0, topic: position.topic) }
    }

    private var environment: StageEnvironment {
        let registry = SimulatedIntent.registry(
            clock: ProcessClock(self.world.scheduler, self.world.scheduler.world),
            service: FakeService(),
            hangs: self.world.hangs,
            asksBack: self.world.plan.asksBack,
            trap: { _, _ in }
        )
        return StageEnvironment(
            stage: .resolve,
            registry: registry,
            settings: self.world.plan.settings,
            deployment: self.world.deployment.id,
            prefix: self.world.deployment.prefix,
            partitions: self.world.deployment.partitions,
            worker: "replay"
        )
    }
}
