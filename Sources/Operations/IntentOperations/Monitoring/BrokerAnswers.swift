internal import Logging
internal import Telemetry

/// What a broker has answered: finds when it stops responding, and when it responds again.
package struct BrokerAnswers: Sendable {
    /// What has changed.
    package enum Change: Hashable, Sendable {
        /// The broker does not answer, for this reason.
        case unavailable(String)
        /// The broker responds again.
        case available

        /// In words, for people.
        package var description: String {
            switch self {
            case .unavailable(let reason): "the broker does not answer: \(reason)"
            case .available: "the broker answers again"
            }
        }

        func log(_ logger: Logger) {
            switch self {
            case .unavailable(let reason):
                logger.warning("Broker does not respond", metadata: [TelemetryKey.errorMessage: "\(reason)"])
            case .available: logger.notice("Broker responds again")
            }
        }
    }

    /// The number of failures in a row that are reported: a single one may be a restart of one of several brokers.
    private static let reportedFailures = 2

    private var failures = 0

    /// Records whether it has answered.
    ///
    /// - Parameter failure: Why it has not; nil when it has.
    /// - Returns: What has changed.
    mutating func record(failure: String?) -> Change? {
        guard let failure else {
            defer { self.failures = 0 }
            return self.failures >= Self.reportedFailures ? .available : nil
        }
        self.failures += 1
        return self.failures == Self.reportedFailures ? .unavailable(failure) : nil
    }
}
