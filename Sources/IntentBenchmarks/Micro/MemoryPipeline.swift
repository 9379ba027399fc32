import InMemoryLog
import IntentEvents
import IntentRuntime
import Logging

/// The three stages on a log in memory, from a backlog to the last response: everything but a broker.
enum MemoryPipeline {
    /// How many requests the backlog has unless told otherwise.
    static let events = 5_000
    /// How many turns a request takes: one in each stage.
    static let turnsPerRequest = 3
    private static let partitions = 8

    /// Runs it once.
    ///
    /// - Parameters:
    ///   - events: How many requests the backlog has.
    ///   - users: How many users send them, in turn.
    /// - Returns: The processor time from the start of the workers to the last response, in seconds.
    /// - Throws: What the log or a worker throws.
    static func run(events: Int = Self.events, users: Int = 1_000) async throws -> Double {
        try await Self.process(events, users: users).seconds
    }

    /// Processes so many requests.
    ///
    /// - Parameters:
    ///   - events: How many requests the backlog has.
    ///   - users: How many users send them, in turn.
    /// - Returns: The log, its topics' prefix, and the processor time from the start of the workers to the last
    ///   response, in seconds.
    /// - Throws: What the log or a worker throws.
    static func process(
        _ events: Int,
        users: Int = 1_000
    ) async throws -> (log: InMemoryLog, prefix: String, seconds: Double) {
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let maker = RequestMaker(users: users, partitions: Self.partitions)
        let producer = try await log.makeProducer()
        let topic = Topic.requests.name(prefix: deployment.prefix)
        _ = try await producer.send((0..<events).map { maker.record($0, topic: topic) })
        let registry = try BenchmarkIntent.registry()
        let workers = Stage.allCases.map { stage in
            StageWorker(
                StageWorker.Configuration(stage: stage, name: "worker"),
                deployment: deployment,
                log: log,
                registry: registry,
                ledger: nil,
                logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
            )
        }
        let responses = Topic.responses.name(prefix: deployment.prefix)
        let starts = (0..<Self.partitions).map { (TopicPartition(responses, $0), Int64(0)) }
        let before = ProcessorTime.seconds
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            var count = 0
            try await ResponseWatcher.watch(Dictionary(uniqueKeysWithValues: starts), of: log) { records, _ in
                count += records.count
                return count >= events
            }
            for worker in workers { worker.stop() }
            try await group.waitForAll()
        }
        return (log, deployment.prefix, ProcessorTime.seconds - before)
    }
}
