import InMemoryLog
import IntentEvents
import IntentLab
import IntentRuntime
import Testing

/// A log in memory, and a worker of the first stage that leaves and comes back while others change the log.
struct ReturningWorker {
    /// The number of partitions of each topic.
    static let partitions = 3
    /// The topic `requests`.
    static let requests = Topic.requests.name(prefix: "intents")
    /// The worker's group.
    static let group = Stage.resolve.group(prefix: "intents")

    /// The log.
    let log = InMemoryLog()
    /// What the worker has logged.
    let lines = LogLines()
    /// Where it keeps its state between two runs.
    let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    /// The partitions of a topic.
    func topicPartitions(_ topic: Topic) -> [TopicPartition] {
        (0..<Self.partitions).map { TopicPartition(topic.name(prefix: "intents"), $0) }
    }

    /// How many records and markers were ever written to a topic.
    func count(_ topic: Topic) async throws -> Int64 {
        try await self.log.offsets(self.topicPartitions(topic), at: .end).values.reduce(0, +)
    }

    /// Makes the topics, if they are missing.
    func makeTopics() async throws -> Deployment {
        try await Deployment.create(TopicPlan(partitions: Self.partitions), on: self.log).deployment
    }

    /// Requests this many intents, each for a user of its own.
    func request(_ count: Int, from first: Int = 0) async throws {
        try await WaitingWorker.request(count, from: first, of: Self.partitions, on: self.log)
    }

    /// Reads a topic from its beginning.
    func reading(_ topic: Topic = .responses) async throws -> Reading {
        try await Reading(topic, Self.partitions, of: self.log)
    }

    /// Makes the worker.
    func make(_ deployment: Deployment, reading: ReadingOptions = ReadingOptions()) throws -> StageWorker {
        try WaitingWorker.make(
            deployment,
            self.log,
            ShiftedClock(),
            self.directory,
            reading: reading,
            logger: self.lines.logger()
        )
    }

    /// Works until the body ends.
    ///
    /// - Parameters:
    ///   - deployment: The topics.
    ///   - log: What the worker reads and writes; nil for the log itself.
    ///   - clock: The worker's clock.
    ///   - directory: Where it keeps its state; nil for its own place.
    ///   - reading: What it checks.
    ///   - body: What happens meanwhile.
    /// - Throws: What the body throws, and the error with which the worker leaves.
    func work(
        _ deployment: Deployment,
        on log: (any EventLog)? = nil,
        clock: ShiftedClock = ShiftedClock(),
        directory: TemporaryDirectory? = nil,
        reading: ReadingOptions = ReadingOptions(),
        _ body: () async throws -> Void
    ) async throws {
        try await WaitingWorker.run(
            deployment,
            log ?? self.log,
            clock,
            directory ?? self.directory,
            reading: reading,
            logger: self.lines.logger(),
            body
        )
    }

    /// Works until the worker leaves by itself; gives the error with which it does.
    func leave(_ deployment: Deployment, reading: ReadingOptions = ReadingOptions()) async throws -> LogError? {
        let worker = try self.make(deployment, reading: reading)
        return await #expect(throws: LogError.self) { try await worker.run() }
    }
}
