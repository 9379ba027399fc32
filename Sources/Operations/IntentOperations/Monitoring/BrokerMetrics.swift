internal import CoreMetrics
internal import EmbeddedBroker
internal import Telemetry

/// Exposes the activity of an embedded broker as metrics.
struct BrokerMetrics: Sendable {
    private let broker: BrokerHost
    /// The broker's counts at the last call of ``record(in:)``, up to which the counters are increased.
    private var recorded = EmbeddedBroker.Statistics()

    init(_ broker: BrokerHost) { self.broker = broker }

    /// Adds what was counted since the last call.
    mutating func record(in factory: any MetricsFactory) {
        let (now, metrics) = (self.broker.statistics, Metrics.catalog)
        factory.gauge(metrics.brokerConnections).set(Int64(now.connections))
        let counters: [(Metric, KeyPath<EmbeddedBroker.Statistics, Int>)] = [
            (metrics.brokerRequests, \.requests), (metrics.brokerReceivedBytes, \.receivedBytes),
            (metrics.brokerSentBytes, \.sentBytes), (metrics.brokerCommits, \.commits),
            (metrics.brokerAborts, \.aborts),
        ]
        for (metric, count) in counters {
            factory.counter(metric).increment(by: Int64(now[keyPath: count] - self.recorded[keyPath: count]))
        }
        self.recorded = now
    }
}
