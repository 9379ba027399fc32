internal import InMemoryLog
internal import IntentEvents
internal import IntentKit
internal import IntentLab
internal import IntentRecords
internal import IntentRuntime
internal import OTLPTraces
internal import SQLiteStore

/// Everything in the simulation of one seed.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class World: @unchecked Sendable {
    let seed: UInt64
    /// Whether a hostile client writes to `requests`.
    let isHostile: Bool
    /// Traces the turns of all workers; nil for none.
    let tracing: TurnTracing?
    let plan: SeedPlan
    let scheduler: Scheduler
    let trace: Trace
    let log: InMemoryLog
    let deployment: Deployment
    let faults: Faults
    let store: FakeStore
    let service: FakeService
    let history: History
    let records: RecordDatabase
    /// Random numbers for everything but the choices of the scheduler and the faults.
    var random: SeededNumbers
    /// Handlers that only continue at the end of the simulation.
    let hangs: Hangs
    private(set) var members: [Member] = []
    private(set) lazy var operations = RollingRestarts(self)
    private(set) lazy var traps = Traps(self)
    private(set) lazy var setbacks = Setbacks(self)
    private(set) lazy var operators = (0..<self.plan.operators).map { SimulatedOperator(number: $0, self) }
    /// The records, through queries.
    let tables: RecordTables
    /// Whether no process is started any more.
    var isOver = false

    /// Creates the world of a seed: topics, store, records, and no processes yet.
    init(
        seed: UInt64,
        isTraced: Bool,
        isHostile: Bool,
        spans: SpanQueue?,
        isOnServer: Bool,
        hasTasks: Bool,
        hasOperators: Bool,
        crashPoint: Int?
    ) async throws {
        // The scheduler exists already: this runs in its first step.
        let scheduler = Scheduler.running
        var random = SeededNumbers(seed: seed, stream: 2)
        var plan = SeedPlan(&random)
        if hasTasks {
            var numbers = SeededNumbers(seed: seed, stream: 74)
            plan = plan.adding(tasks: Int.random(in: 1...4, using: &numbers))
        }
        var numbers = SeededNumbers(seed: seed, stream: SimulatedOperator.stream)
        let isActedOn = numbers.happens(0.4) || hasOperators
        if isActedOn, crashPoint == nil { plan = plan.addingOperators(&numbers) }
        if crashPoint != nil { plan = plan.forCrashPoints }
        scheduler.longestStep = plan.longestStep
        let trace = Trace(scheduler, isKept: isTraced)
        var configuration = InMemoryLog.Configuration()
        configuration.clock = SimulatedClock(scheduler: scheduler)
        configuration.timestamp = { ProcessClock.beginning + scheduler.now / 1_000 }
        configuration.marksTransactions = random.happens(0.7)
        let log = InMemoryLog(configuration)
        self.seed = seed
        self.isHostile = isHostile
        self.tracing = spans.map { TurnTracing(tracer: OTLPTracer(queue: $0), sampler: TraceSampler(share: 1)) }
        self.plan = plan
        self.scheduler = scheduler
        self.trace = trace
        self.history = History(trace)
        self.log = log
        self.faults = Faults(
            seed: seed,
            plan: plan,
            scheduler: scheduler,
            trace: trace,
            log: log,
            crashPoint: crashPoint
        )
        self.store = FakeStore(
            scheduler: scheduler,
            faults: self.faults,
            trace: trace,
            isOnServer: isOnServer
        )
        self.service = FakeService()
        self.hangs = Hangs()
        let faults = self.faults
        self.records = try RecordDatabase(
            inMemory: "seed-\(seed)",
            prefix: "intents",
            access: .inline(before: { await faults.hop(.transaction) })
        )
        self.tables = try RecordTables("seed-\(seed)")
        if isHostile {
            var requests = TopicDescription(
                name: Topic.requests.name(prefix: "intents"),
                partitions: plan.partitions
            )
            requests.configuration["max.message.bytes"] = String(HostileClient.maximumRequestBytes)
            _ = try await log.createTopics([requests])
        }
        self.deployment =
            try await Deployment.create(
                TopicPlan(partitions: plan.partitions),
                on: log,
                random: SeededNumbers(seed: seed, stream: 3)
            )
            .deployment
        self.random = random
        self.members = plan.processes.enumerated().map { Member(name: "p\($0)", roles: $1, world: self) }
        self.faults.members = self.members
    }

    /// The script of the single task whose process is killed at one of its writes: every second seed's is undone at its
    /// end.
    var crashScript: TaskScript? {
        guard self.faults.crashPoint != nil else { return nil }
        return self.seed.isMultiple(of: 2) ? .undone : .plain
    }

    /// The partitions of the recorded topics.
    var recordedPartitions: [TopicPartition] {
        Topic.allCases.filter(\.isRecorded)
            .flatMap { topic in
                (0..<self.plan.partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
            }
    }
}

/// Blocks handlers that ignore cancellation, until the simulation's end.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class Hangs: @unchecked Sendable {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOver = false

    /// Never returns, as far as the simulated processes can tell.
    func hang() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            if self.isOver { continuation.resume() } else { self.waiting.append(continuation) }
        }
    }

    /// Lets all of them continue.
    func end() {
        self.isOver = true
        for continuation in self.waiting { continuation.resume() }
        self.waiting = []
    }
}

extension World {
    /// Notes a transaction's records at the moment when they become visible.
    func recordCommitted(_ records: [OutgoingRecord]) {
        self.history.recordCommitted(records)
        for record in records {
            guard Topic(name: record.topicPartition.topic, prefix: "intents") == .responses,
                let request = record.headers.last(where: { $0.name == EventHeaderName.request })?.text
                    .map({ RequestID($0) }),
                let value = record.value, let data = try? JSONValue(parsing: value), data["terminal"] == true
            else { continue }
            self.store.ended.insert(request)
        }
    }
}
