import EmbeddedBroker
import Foundation
import IntentRuntime
import KafkaLog
import Logging

/// An embedded broker of a test's own, with a directory of its own.
final class TestBroker {
    /// The address in `INTENTD_TEST_BROKERS`, or nil.
    static let external: String? = ProcessInfo.processInfo.environment["INTENTD_TEST_BROKERS"]

    /// The client's properties for that address, such as those of TLS and SASL.
    ///
    /// They are in the file that `INTENTD_TEST_KAFKA_PROPERTIES` names, one `name=value` per line.
    static let properties: [String: String] = {
        guard let path = ProcessInfo.processInfo.environment["INTENTD_TEST_KAFKA_PROPERTIES"] else { return [:] }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            preconditionFailure("INTENTD_TEST_KAFKA_PROPERTIES: cannot read \(path)")
        }
        let pairs = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .map { line in
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                precondition(parts.count == 2, "INTENTD_TEST_KAFKA_PROPERTIES: '\(line)' is no name=value")
                return (parts[0], parts[1])
            }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }()

    /// Logs only serious errors.
    static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    private let directory: URL
    private var broker: EmbeddedBroker?
    private let port: Int

    /// Its address, before and after a restart.
    var address: String { "127.0.0.1:\(self.port)" }

    /// The path of its database.
    var databasePath: String { self.directory.appending(path: "broker.db").path }

    private init(directory: URL, broker: EmbeddedBroker) {
        self.directory = directory
        self.broker = broker
        self.port = broker.port
    }

    /// Runs `body` with a broker that is removed afterwards.
    static func with<Result>(_ body: (TestBroker) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "kafka-log-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let started = try await EmbeddedBroker.start(self.configuration(directory, port: 0), logger: self.logger)
        let broker = TestBroker(directory: directory, broker: started)
        do {
            let result = try await body(broker)
            await broker.stop()
            return result
        } catch {
            await broker.stop()
            throw error
        }
    }

    /// Stops the broker; its log and its port are kept.
    func stop() async {
        await self.broker?.shutdown()
        self.broker = nil
    }

    /// Starts it again.
    func start() async throws {
        let configuration = Self.configuration(self.directory, port: self.port)
        self.broker = try await EmbeddedBroker.start(configuration, logger: Self.logger)
    }

    /// The configuration of a log on it, with time-outs for tests.
    var configuration: KafkaLog.Configuration {
        Self.configuration(self.address)
    }

    /// The configuration of a log on a broker, with time-outs for tests.
    static func configuration(_ address: String) -> KafkaLog.Configuration {
        var configuration = KafkaLog.Configuration(brokers: [address])
        configuration.logger = self.logger
        if address == self.external { configuration.properties = self.properties }
        return configuration
    }

    private static func configuration(_ directory: URL, port: Int) -> EmbeddedBroker.Configuration {
        var configuration = EmbeddedBroker.Configuration(path: directory.appending(path: "broker.db").path)
        configuration.port = port
        configuration.autoCreateTopics = false
        return configuration
    }
}
