package import IntentRuntime
internal import KafkaLog
package import Logging
internal import ServiceLifecycle

/// Reports once that the broker does not answer, and once that it does again, where no monitor does.
package struct BrokerWatch: Service {
    /// The interval at which the broker is asked.
    private static let interval = Duration.seconds(5)

    /// The log; closed with the watch when nothing else uses it.
    private let log: any EventLog
    private let isOwn: Bool
    private let report: @Sendable (BrokerAnswers.Change) -> Void

    /// Watches the broker of a log.
    ///
    /// - Parameters:
    ///   - log: The log. On Kafka, the watch has connections of its own.
    ///   - report: Reports a change.
    package init(_ log: any EventLog, report: @escaping @Sendable (BrokerAnswers.Change) -> Void) {
        let own = (log as? KafkaLog)?.withOwnConnections()
        self.log = own ?? log
        self.isOwn = own != nil
        self.report = report
    }

    package init(_ log: any EventLog, logger: Logger) { self.init(log) { $0.log(logger) } }

    /// Asks until the task is cancelled or the group shuts down.
    package func run() async {
        await cancelWhenGracefulShutdown {
            var answers = BrokerAnswers()
            while (try? await Task.sleep(for: Self.interval)) != nil {
                if let change = answers.record(failure: await self.failure()) { self.report(change) }
            }
        }
        if self.isOwn { await self.log.close() }
    }

    /// Why the broker does not answer; nil when it does.
    private func failure() async -> String? {
        do {
            _ = try await self.log.brokerCount()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
