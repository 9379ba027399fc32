import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab
import IntentLedger
import IntentRecords
import Logging
import SQLiteStore

/// The measured pipeline: three stages and the recorder, on topics of their own.
struct Pipeline: Sendable {
    private let bench: MeasuredLog
    /// The deployment, on topics of its own.
    let deployment: Deployment
    private let registry: IntentRegistry
    /// Counts what was recorded.
    let recorded: CountingStore
    private let database: RecordDatabase
    private let ledger: SQLiteLedger?

    /// The topic of the requests.
    var input: TopicName { Topic.requests.name(prefix: self.deployment.prefix) }
    /// The topic to which `resolve` passes interactions on.
    var resolved: TopicName { Topic.resolved.name(prefix: self.deployment.prefix) }
    /// The topic of the stages' state.
    var state: TopicName { Topic.state.name(prefix: self.deployment.prefix) }
    /// The topic of the answers.
    var output: TopicName { Topic.responses.name(prefix: self.deployment.prefix) }

    /// The environment for replaying its turns.
    var environment: StageEnvironment {
        StageEnvironment(
            stage: .resolve,
            registry: self.registry,
            deployment: self.deployment.id,
            prefix: self.deployment.prefix,
            partitions: self.deployment.partitions,
            worker: "replay"
        )
    }

    /// Creates a deployment of its own for the measured intent; with a ledger of effects, as in deployments by default.
    static func make(_ bench: MeasuredLog, slowUsers: Bool = false, hasLedger: Bool = false) async throws -> Pipeline {
        try await Self.make(
            bench,
            registry: try BenchmarkIntent.registry(slowUsers: slowUsers),
            hasLedger: hasLedger
        )
    }

    /// Creates a deployment of its own for these intents.
    static func make(
        _ bench: MeasuredLog,
        registry: IntentRegistry,
        migrations: [StoreMigration] = [],
        hasLedger: Bool = false
    ) async throws -> Pipeline {
        let plan = TopicPlan(prefix: bench.makePrefix(), partitions: bench.shape.partitions)
        let (deployment, _) = try await Deployment.create(plan, on: bench.log)
        let path = bench.directory.appending(path: "\(plan.prefix).sqlite").path
        let database = try await RecordDatabase.open(at: path, prefix: plan.prefix)
        let store = bench.directory.appending(path: "\(plan.prefix)-store.sqlite").path
        return Pipeline(
            bench: bench,
            deployment: deployment,
            registry: registry,
            recorded: CountingStore(database),
            database: database,
            ledger: hasLedger ? try await SQLiteLedger.open(at: store, migrations: migrations) : nil
        )
    }

    /// The stages' workers.
    private var wiring: StageWiring {
        var wiring = StageWiring(self.deployment, on: self.bench.log, registry: self.registry, ledger: self.ledger)
        wiring.logger = self.bench.logger
        return wiring
    }

    /// Creates the spill of a stage, as in real deployments; each machine has files of its own.
    private func makeSpill(_ stage: Stage, on machine: String) -> @Sendable (String) async throws -> any StateSpill {
        let (directory, prefix, deployment) = (self.bench.directory, self.deployment.prefix, self.deployment.id)
        return { lane in
            let path = directory.appending(path: "\(prefix)-\(machine)-\(stage.rawValue)-\(lane).sqlite").path
            return try await SQLiteStateSpill.open(at: path, deployment: deployment)
        }
    }

    /// Runs the body while only the worker of `resolve` works, on a machine with its own files; nil for a worker that
    /// keeps everything in memory.
    func runResolve(on machine: String?, _ body: () async throws -> Void) async throws {
        var wiring = self.wiring
        let makeSpill = machine.map { self.makeSpill(.resolve, on: $0) }
        wiring.configure = { $0.makeSpill = makeSpill }
        let worker = wiring.worker(.resolve)
        async let work: Void = worker.run()
        do {
            try await body()
        } catch {
            worker.stop()
            throw error
        }
        worker.stop()
        try await work
    }

    /// Runs the body while the stages work, and the recorder by default.
    func run<Result: Sendable>(isRecorded: Bool = true, _ body: () async throws -> Result) async throws -> Result {
        var wiring = self.wiring
        let threads = TurnThreads()
        wiring.configure = { configuration in
            configuration.threads = threads
            configuration.lanes = self.bench.shape.lanes
            configuration.makeSpill = self.makeSpill(configuration.stage, on: "first")
        }
        let workers = wiring.workers()
        let recorder = Recorder(
            log: self.bench.log,
            store: self.recorded,
            configuration: .init(prefix: self.deployment.prefix, name: "recorder"),
            logger: self.bench.logger
        )
        let result = try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            if isRecorded { group.addTask { try await recorder.run() } }
            do {
                let result = try await body()
                for worker in workers { worker.stop() }
                group.cancelAll()
                return result
            } catch {
                for worker in workers { worker.stop() }
                group.cancelAll()
                throw error
            }
        }
        await self.database.close()
        return result
    }

    /// Waits until this many interactions are recorded with all their events: the request, the events between the
    /// stages, one turn per stage, the response.
    func waitUntilRecorded(_ interactions: Int) async {
        let prefix = self.deployment.prefix
        let expected: [(Topic, Int)] = [
            (.requests, 1), (.resolved, 1), (.confirmed, 1), (.responses, 1), (.journal, Stage.allCases.count),
        ]
        await self.recorded.wait { counts in
            expected.allSatisfy { counts[$0.0.name(prefix: prefix)] ?? 0 >= $0.1 * interactions }
        }
    }
}
