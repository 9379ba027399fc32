import EmbeddedBroker
import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentLedger
import IntentRuntime
import KafkaLog
import Logging
import SQLiteStore
import Testing

extension Pipeline {
    /// The configuration of a pipeline.
    struct Configuration: Sendable {
        /// The extensions whose intents it handles.
        var extensions: [IntentExtension]
        /// The number of partitions of every topic.
        var partitions = 8
        /// The number of lanes of each stage.
        var lanes = 1
        /// The settings of the stages.
        var settings = RuntimeSettings()
        /// Whether everything is recorded too.
        var isRecorded = false
    }

    /// The log that it runs on.
    enum Base: Sendable {
        /// Memory.
        case memory
        /// The embedded broker, through librdkafka.
        case broker
    }

    /// Runs a pipeline with a store of effects and with spills for as long as the body takes.
    static func run<Result: Sendable>(
        on base: Base,
        _ configuration: Configuration,
        _ body: @Sendable (Pipeline) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        var logger = Logger(label: "intentd.test")
        logger.logLevel = .warning
        switch base {
        case .memory:
            let log = InMemoryLog()
            let result = try await Self.run(over: log, in: directory, configuration, logger, body)
            await log.close()
            return result
        case .broker:
            let broker = try await EmbeddedBroker.start(.init(path: directory.file("broker.sqlite")), logger: logger)
            let log = KafkaLog(.init(brokers: ["127.0.0.1:\(broker.port)"]))
            do {
                let result = try await Self.run(over: log, in: directory, configuration, logger, body)
                await log.close()
                await broker.shutdown()
                return result
            } catch {
                await log.close()
                await broker.shutdown()
                throw error
            }
        }
    }

    private static func run<Result: Sendable>(
        over log: any EventLog,
        in directory: TemporaryDirectory,
        _ configuration: Configuration,
        _ logger: Logger,
        _ body: @Sendable (Pipeline) async throws -> Result
    ) async throws -> Result {
        let registry = try IntentRegistry(configuration.extensions)
        let migrations = configuration.extensions.flatMap(\.migrations)
        let ledger = try await SQLiteLedger.open(at: directory.file("store.sqlite"), migrations: migrations)
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: configuration.partitions), on: log)
        var wiring = StageWiring(deployment, on: log, registry: registry, ledger: ledger)
        wiring.logger = logger
        wiring.configure = { worker in
            let stage = worker.stage
            worker.lanes = configuration.lanes
            worker.isScripted = true
            worker.settings = configuration.settings
            worker.makeSpill = { lane in
                try await SQLiteStateSpill.open(
                    at: directory.file("state-\(stage)-\(lane).sqlite"),
                    deployment: deployment.id
                )
            }
        }
        let records = configuration.isRecorded ? directory.file("records.sqlite") : nil
        let pipeline = try await Pipeline(wiring, records: records)
        let result = try await pipeline.run { try await body(pipeline) }
        // Whatever the test's subject, all its records match the schemas.
        let check = try await WireCheck.all(of: deployment, on: log)
        #expect(check.defects.isEmpty, "\(check.defects.prefix(10).map(\.description).joined(separator: "\n"))")
        return result
    }

    /// The store of effects.
    var ledger: any EffectLedger {
        get throws { try #require(self.wiring.ledger) }
    }
}
