internal import InMemoryLog
internal import IntentEvents
internal import IntentRuntime
internal import OTLPTraces

/// Runs seeds: each creates a world, injects faults, and checks the result (as FoundationDB and TigerBeetle do).
///
/// Nothing else may run in the process, because the simulation receives all tasks. Hashes must not depend on the
/// process either: `SWIFT_DETERMINISTIC_HASHING` must be set when it starts.
public struct Simulation {
    /// The outcome of a seed.
    public struct Outcome: Sendable {
        /// The seed.
        public var seed: UInt64
        /// The violated invariants; empty for a clean run.
        public var violations: [String]
        /// The trace, if it was requested.
        public var trace: [String]
        /// A digest of every choice: the same for the same seed.
        public var fingerprint: UInt64
        /// A digest of every record: the same for the same seed, whether turns are traced or not (R66).
        public var records: String
        /// The number of spans; 0 unless turns are traced.
        public var spans: Int
        /// The number of steps.
        public var steps: Int
        /// The number of faults.
        public var faults: Int
        /// What became of operators' acts.
        public var operatorEvents: [OperatorEvent: Int]
        /// The number of places before and after writes, where only one process is killed at one of them.
        public var writes: Int
        /// The time that passed in the simulation, in milliseconds.
        public var milliseconds: Int64
    }

    /// The longest time for everything to end after the last fault.
    private static let timeout = Duration.seconds(400)

    /// Runs one seed.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - isTraced: Whether a trace is kept.
    ///   - isHostile: Whether a hostile client writes to `requests`.
    ///   - hasSpans: Whether the workers trace every turn.
    ///   - isOnServer: Whether effects are kept on a server whose connections break.
    ///   - hasTasks: Whether users ask for long tasks, too.
    ///   - hasOperators: Whether there are operators in any case, and not only in a part of the seeds.
    ///   - crashPoint: The write of a single task, from 0, before or after which its process is killed; nil for the
    ///     seed's faults.
    /// - Returns: The outcome.
    public static func run(
        seed: UInt64,
        isTraced: Bool = false,
        isHostile: Bool = false,
        hasSpans: Bool = false,
        isOnServer: Bool = false,
        hasTasks: Bool = false,
        hasOperators: Bool = false,
        crashPoint: Int? = nil
    ) -> Outcome {
        let scheduler = Scheduler(seed: seed)
        let run = SeedRun()
        let spans = SpanQueue(limit: .max)
        _ = scheduler.spawn(in: scheduler.world) {
            await run.prepare(
                seed: seed,
                isTraced: isTraced,
                isHostile: isHostile,
                spans: hasSpans ? spans : nil,
                isOnServer: isOnServer,
                hasTasks: hasTasks,
                hasOperators: hasOperators,
                crashPoint: crashPoint
            )
        }
        _ = scheduler.run(for: .seconds(1)) { run.world != nil }
        guard let world = run.world else {
            preconditionFailure("The world of seed \(seed) was not made: \(run.problem ?? "a task is missing")")
        }
        let client = Client(world)
        let observer = run.observe(world, client)
        scheduler.perform(as: scheduler.world) {
            for member in world.members { member.start() }
            world.faults.begin()
            if crashPoint == nil { world.operations.begin() }
            client.begin()
            for one in world.operators { one.begin() }
        }
        _ = scheduler.run(for: world.plan.quietAfter)
        let settling = Settling(world, client)
        let isSettled = scheduler.run(for: Self.timeout) { settling.isSettled }
        // Repeated sendings arrive now.
        if isSettled { _ = scheduler.run(for: .seconds(8)) }
        var violations = isSettled ? [] : ["progress: \(settling.whatIsMissing)"]
        let check = SeedCheck(world, client)
        violations += check.violations()
        if world.plan.operators > 0 { violations += Self.replay(world) }
        let outcome = Outcome(
            seed: seed,
            violations: violations,
            trace: world.trace.lines,
            fingerprint: scheduler.fingerprint,
            records: world.history.digest,
            spans: spans.first(.max).count,
            steps: scheduler.steps,
            faults: world.faults.count,
            operatorEvents: world.plan.operators > 0 ? check.operatorEvents() : [:],
            writes: world.faults.writes,
            milliseconds: scheduler.now / 1_000
        )
        run.end(world, observer)
        client.end()
        return outcome
    }

    /// Runs every turn again.
    private static func replay(_ world: World) -> [String] {
        let replay = SeedReplay(world)
        _ = world.scheduler.spawn(in: world.scheduler.world) { await replay.run() }
        _ = world.scheduler.run(for: .seconds(1)) { replay.violations != nil }
        return replay.violations ?? ["replay: a turn does not end when it runs again"]
    }
}

/// The tasks of the simulation itself.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
private final class SeedRun: @unchecked Sendable {
    var world: World?
    var problem: String?

    func prepare(
        seed: UInt64,
        isTraced: Bool,
        isHostile: Bool,
        spans: SpanQueue?,
        isOnServer: Bool,
        hasTasks: Bool,
        hasOperators: Bool,
        crashPoint: Int?
    ) async {
        do {
            self.world = try await World(
                seed: seed,
                isTraced: isTraced,
                isHostile: isHostile,
                spans: spans,
                isOnServer: isOnServer,
                hasTasks: hasTasks,
                hasOperators: hasOperators,
                crashPoint: crashPoint
            )
        } catch {
            self.problem = "\(error)"
        }
    }

    func observe(_ world: World, _ client: Client) -> Task<Void, Never> {
        let topics = Topic.allCases.flatMap { topic in
            (0..<world.plan.partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
        }
        return world.scheduler.spawn(in: world.scheduler.world) {
            do throws(LogError) {
                let reader = try await world.log.makeReader(
                    from: Dictionary(uniqueKeysWithValues: topics.map { ($0, 0) })
                )
                while !Task.isCancelled {
                    try await world.history.read(reader) { client.receive($0) }
                }
                await reader.close()
            } catch {
                // The log was closed: the simulation is over.
            }
        }
    }

    func end(_ world: World, _ observer: Task<Void, Never>) {
        let scheduler = world.scheduler
        world.isOver = true
        observer.cancel()
        for member in world.members { member.end() }
        world.hangs.end()
        _ = scheduler.spawn(in: scheduler.world) { await world.log.close() }
        scheduler.drain(world.members.flatMap(\.processes))
        world.faults.members = []
        self.world = nil
    }
}
