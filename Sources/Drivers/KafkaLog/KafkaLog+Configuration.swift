internal import CoreMetrics
package import Logging

extension KafkaLog {
    /// The connection to a cluster.
    package struct Configuration: Sendable {
        /// Addresses of some of the cluster's brokers, `host:port`.
        package var brokers: [String]
        /// The prefix of client ids, which appear in the broker's logs and quotas.
        package var clientIDPrefix: String = "intentd"
        /// librdkafka's properties, by its names; they take precedence over the driver's own and reach consumers and
        /// producers.
        ///
        /// Those that the driver's guarantees depend on are refused, see `ReservedProperties`. Values are never logged.
        package var properties: [String: String] = [:]
        /// How long a call that needs an answer waits for a broker before it throws `unavailable`.
        package var requestTimeout: Duration = .seconds(8)
        /// How long the group tolerates a lane that does not poll although its process lives.
        ///
        /// Heartbeats continue meanwhile; a dead lane is noticed after its session time-out.
        package var maximumPollInterval: Duration = .seconds(60)
        /// How long closing may take before handles are left to a thread of their own.
        package var closeTimeout: Duration = .seconds(3)
        /// How long a lane waits between a commit and the begin of the next transaction.
        ///
        /// A transaction that begins while the broker still writes the markers of the last one is delayed for longer
        /// than this.
        package var pauseAfterCommit: Duration = .milliseconds(2)
        /// How often lanes' clients report their statistics.
        package var statisticsInterval: Duration = .seconds(5)
        /// The metrics backend of lanes' clients; nil for none.
        var metrics: (any MetricsFactory)?
        /// The logger of the driver and librdkafka.
        package var logger = Logger(label: "intentd.kafka")

        /// Describes a cluster; everything not named here has the defaults above.
        package init(brokers: [String]) { self.brokers = brokers }
    }
}
