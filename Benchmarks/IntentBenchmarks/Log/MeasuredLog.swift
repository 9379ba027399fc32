import EmbeddedBroker
import Foundation
import IntentEvents
import IntentRuntime
import KafkaLog
import Logging

/// The common resources of all measurements of a run: a log on a broker, and a directory that is removed afterwards.
struct MeasuredLog: Sendable {
    /// The layout of topics and workers.
    struct Shape: Sendable {
        /// The number of partitions of each topic.
        var partitions: Int
        /// The number of lanes of each stage and of each hop.
        var lanes: Int
        /// The number of users.
        var users: Int
    }

    /// The log.
    let log: any EventLog
    /// The layout of topics and workers.
    let shape: Shape
    /// The directory for files.
    let directory: URL
    /// Logs only errors.
    let logger: Logger

    /// Runs the body with a log on these brokers, or on an embedded one; properties are librdkafka's, `name=value`.
    static func with(
        brokers: String?,
        properties: [String],
        _ shape: Shape,
        _ body: (MeasuredLog) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pipeline-benchmark-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var logger = Logger(label: "benchmark") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        var broker: EmbeddedBroker?
        if brokers == nil {
            var configuration = EmbeddedBroker.Configuration(path: directory.appending(path: "broker.sqlite").path)
            configuration.autoCreateTopics = false
            broker = try await EmbeddedBroker.start(configuration, logger: logger)
        }
        let addresses = brokers?.split(separator: ",").map(String.init) ?? ["127.0.0.1:\(broker?.port ?? 0)"]
        var configuration = KafkaLog.Configuration(brokers: addresses)
        configuration.logger = logger
        configuration.requestTimeout = .seconds(30)
        for property in properties {
            let parts = property.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            configuration.properties[String(parts[0])] = String(parts[1])
        }
        let log = KafkaLog(configuration)
        do {
            try await body(MeasuredLog(log: log, shape: shape, directory: directory, logger: logger))
        } catch {
            await log.close()
            await broker?.shutdown()
            throw error
        }
        await log.close()
        await broker?.shutdown()
    }

    /// A unique prefix for topics.
    func makePrefix() -> String { "benchmark-\(UUID().uuidString.prefix(8).lowercased())" }

    /// All partitions of a topic.
    func partitions(of topic: TopicName) -> [TopicPartition] {
        (0..<self.shape.partitions).map { TopicPartition(topic, $0) }
    }

    /// The offsets from which on a new reader of a topic sees new records.
    func ends(of topic: TopicName) async throws -> [TopicPartition: Int64] {
        try await self.log.offsets(self.partitions(of: topic), at: .end)
    }

    /// Reports on standard error what is being measured, because it takes a while.
    func announce(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
