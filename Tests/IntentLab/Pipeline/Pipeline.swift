package import InMemoryLog
package import IntentEvents
package import IntentKit
package import IntentRuntime
package import IntentScenarios
internal import IntentRecords
import Synchronization

/// The stages of a deployment, its recorder where it has one, and clients to talk to them, on any log.
///
/// Suites wire it in extensions of their own, and add there what they alone need.
package final class Pipeline: Sendable {
    /// The wiring of the workers.
    package let wiring: StageWiring
    /// The path of the record database; nil where nothing is recorded.
    package let records: String?
    /// Talks to the stages while ``run(isTalking:_:)`` runs them.
    package let client: ConversationClient

    private let running = Mutex<[(worker: StageWorker, task: Task<Void, any Error>)]>([])
    /// What ``send(_:user:subject:partition:headers:data:)`` and ``next(_:where:)`` write and read with.
    let ends: PipelineEnds
    /// The events that were read while others were waited for.
    let pending = Mutex<[Event]>([])
    /// The number of events that were sent.
    let sent = Mutex(0)

    /// Creates a pipeline whose workers do not run yet.
    ///
    /// - Throws: `LogError`.
    package init(_ wiring: StageWiring, records: String? = nil) async throws {
        self.wiring = wiring
        self.records = records
        self.client = try await ConversationClient(wiring.deployment, on: wiring.log)
        self.ends = PipelineEnds(wiring.deployment, on: wiring.log)
    }

    package var log: any EventLog { self.wiring.log }
    package var deployment: Deployment { self.wiring.deployment }

    /// The log of a pipeline that runs in memory.
    package var memory: InMemoryLog {
        guard let log = self.log as? InMemoryLog else { preconditionFailure("The log is not in memory.") }
        return log
    }

    // MARK: Running

    /// Runs the workers and the recorder while the body runs.
    ///
    /// - Parameters:
    ///   - isTalking: Whether the ``client`` runs, too.
    ///   - body: What happens meanwhile.
    /// - Returns: What the body returns.
    /// - Throws: What the body, a worker, the recorder or the client throws.
    package func run<Result: Sendable>(
        isTalking: Bool = true,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let workers = self.wiring.workers()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            defer { for worker in workers { worker.stop() } }
            if let records = self.records {
                let store = try await RecordDatabase.open(at: records, prefix: self.deployment.prefix)
                let recorder = Recorder(
                    log: self.log,
                    store: store,
                    configuration: .init(prefix: self.deployment.prefix, name: "recorder"),
                    logger: self.wiring.logger
                )
                group.addTask {
                    try await recorder.run()
                    await store.close()
                }
            }
            if isTalking { group.addTask { try await self.client.run() } }
            let result = try await body()
            for worker in workers { worker.stop() }
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    /// Starts the workers: for tests that start them again; others use ``run(isTalking:_:)``.
    package func startWorkers() {
        let started = self.wiring.workers().map { worker in (worker: worker, task: Task { try await worker.run() }) }
        self.running.withLock { $0 = started }
    }

    /// Stops the workers that were started, and waits for their ends.
    ///
    /// - Returns: The first error with which one has ended.
    @discardableResult
    package func stopWorkers() async -> (any Error)? {
        let stopped = self.running.withLock { running in
            defer { running = [] }
            return running
        }
        for (worker, _) in stopped { worker.stop() }
        var first: (any Error)?
        for (_, task) in stopped {
            if case .failure(let error) = await task.result { first = first ?? error }
        }
        return first
    }

    /// The workers that were started.
    package var workers: [StageWorker] { self.running.withLock { $0.map(\.worker) } }

    // MARK: Looking at it

    /// All records of a topic so far, in partition order.
    ///
    /// - Throws: `LogError`.
    package func records(of topic: Topic) async throws -> [LogRecord] {
        try await self.log.records(of: topic, self.deployment)
    }

    /// Runs every journaled turn again with these handlers, and returns the results.
    ///
    /// - Throws: `LogError`; ``IncompleteJournal``.
    package func replayAll(_ extensions: [IntentExtension]) async throws -> [TurnReplay.Result] {
        try await self.log.replayedTurns(of: self.deployment, try IntentRegistry(extensions))
    }

    /// Runs every journaled turn again with these handlers, and returns the results.
    ///
    /// - Throws: `LogError`; ``IncompleteJournal``.
    package func replayAll(
        _ registrations: [IntentRegistration],
        settings: RuntimeSettings = RuntimeSettings()
    ) async throws -> [TurnReplay.Result] {
        try await self.log.replayedTurns(
            of: self.deployment,
            try IntentRegistry([IntentExtension("Tests") { registrations }]),
            settings: settings
        )
    }
}
