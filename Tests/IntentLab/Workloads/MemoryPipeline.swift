package import CoreMetrics
package import InMemoryLog
package import IntentEvents
package import IntentKit
package import IntentRuntime

/// The three stages on a log in memory: everything but a broker.
package struct MemoryPipeline: Sendable {
    /// The configuration of a run.
    package struct Configuration: Sendable {
        /// The number of users, who send requests in turn.
        package var users = 1_000
        /// The number of partitions of the topics.
        package var partitions = 8
        /// The number of requests that were processed before the measured ones: the stages remember them.
        package var remembered = 0
        /// The intents.
        package var registry: IntentRegistry
        /// The ledger of effects; nil where there are none.
        package var ledger: (any EffectLedger)?
        /// Creates a stage's spill for state that is not needed now; nil keeps all of it in memory.
        package var makeSpill: (@Sendable (_ stage: Stage, _ deployment: String) async throws -> any StateSpill)?
        /// The metrics backend of the stages; nil for none.
        package var metrics: (any MetricsFactory)?
        /// Traces turns; nil for no turn.
        package var tracing: TurnTracing?
        /// The threads on which turns run, as in deployments.
        package var threads: (any TaskExecutor)? = TurnThreads()
        /// Read before and after the measured part: the figure is the difference.
        package var gauge: @Sendable () -> Double = { ProcessorTime.seconds }

        /// Creates a configuration.
        package init(registry: IntentRegistry) { self.registry = registry }
    }

    /// The number of turns of one request of ``BenchmarkIntent``: one in each stage.
    package static let turnsPerRequest = 3

    private let configuration: Configuration
    private let pipeline: Pipeline
    /// The log.
    package let log = InMemoryLog()
    /// The deployment on it.
    package var deployment: Deployment { self.pipeline.deployment }

    /// Creates a deployment on a log of its own.
    ///
    /// - Throws: `LogError`.
    package init(_ configuration: Configuration) async throws {
        self.configuration = configuration
        let plan = TopicPlan(partitions: configuration.partitions)
        let (deployment, _) = try await Deployment.create(plan, on: self.log)
        var wiring = StageWiring(
            deployment,
            on: self.log,
            registry: configuration.registry,
            ledger: configuration.ledger
        )
        wiring.configure = { worker in
            worker.threads = configuration.threads
            worker.metrics = configuration.metrics
            worker.tracing = configuration.tracing
            if let make = configuration.makeSpill {
                let stage = worker.stage
                worker.makeSpill = { _ in try await make(stage, deployment.id) }
            }
        }
        self.pipeline = try await Pipeline(wiring)
    }

    /// Processes a backlog of requests, from the start of the workers to the last response.
    ///
    /// Where requests are remembered, they are processed first, and the figure begins when they are answered.
    ///
    /// - Parameter events: The number of requests in the backlog.
    /// - Returns: The change of the gauge.
    /// - Throws: What the log or a worker throws.
    package func process(_ events: Int) async throws -> Double {
        let maker = RequestMaker(users: self.configuration.users, partitions: self.configuration.partitions)
        let topic = Topic.requests.name(prefix: self.deployment.prefix)
        let remembered = self.configuration.remembered
        let producer = try await self.log.makeProducer()
        if remembered > 0 { _ = try await producer.send((0..<remembered).map { maker.record($0, topic: topic) }) }
        let requests = (remembered..<(remembered + events)).map { maker.record($0, topic: topic) }
        if remembered == 0 { _ = try await producer.send(requests) }
        var before = self.configuration.gauge()
        try await self.run {
            let responses = Topic.responses.name(prefix: self.deployment.prefix)
            if remembered > 0 {
                try await ResponseWatcher.collect(remembered, of: responses, from: [:], self.log, self.partitions)
                before = self.configuration.gauge()
                _ = try await producer.send(requests)
            }
            try await ResponseWatcher.collect(remembered + events, of: responses, from: [:], self.log, self.partitions)
        }
        let after = self.configuration.gauge()
        await producer.close()
        return after - before
    }

    /// Runs the body while the three stages work.
    ///
    /// - Throws: What the body or a worker throws.
    package func run(_ body: () async throws -> Void) async throws {
        try await self.pipeline.run(isTalking: false, body)
    }

    /// The number of turns that were journaled.
    ///
    /// - Throws: `LogError`.
    package func turns() async throws -> Int {
        let topic = Topic.journal.name(prefix: self.deployment.prefix)
        let topicPartitions = (0..<self.partitions).map { TopicPartition(topic, $0) }
        let ends = try await self.log.offsets(topicPartitions, at: .end)
        var count = 0
        var open = ends.filter { $0.value > 0 }
        let reader = try await self.log.makeReader(from: open.mapValues { _ in 0 })
        while !open.isEmpty {
            let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
            count += batch.records.count
            for (topicPartition, position) in batch.positions where position >= open[topicPartition] ?? .max {
                open[topicPartition] = nil
            }
        }
        await reader.close()
        return count
    }

    private var partitions: Int { self.configuration.partitions }
}
