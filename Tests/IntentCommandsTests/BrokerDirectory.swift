import IntentLab
import IntentRuntime
import Logging

@testable import IntentCommands
@testable import IntentOperations

/// An embedded broker with a directory of its own.
enum BrokerDirectory {
    /// Runs a body with the broker's log and the options of command lines that use it.
    static func with(_ body: (_ log: any EventLog, _ options: [String]) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let data = DataDirectory(path: directory.path)
        let logger = ReadableLogHandler.logger("test", level: .critical)
        let host = try await BrokerHost.start(data, listen: .anyLoopbackPort, logger: logger)
        let log: any EventLog = Configuration().kafkaLog(brokers: [host.address.description])
        do {
            try await body(log, ["--data", directory.path, "--log-level", "critical"])
        } catch {
            await log.close()
            await host.shutdown()
            throw error
        }
        await log.close()
        await host.shutdown()
        withExtendedLifetime(directory) {}
    }
}
