internal import CoreMetrics
import Synchronization
import Telemetry

/// Tells the statistics of one client of a lane as metrics.
///
/// Labels are the lane, the client's name, and a broker's address.
final class ClientMetrics: Sendable {
    private struct State {
        /// What was counted at the last report.
        var told: [ClientMetric: Int64] = [:]
        var connections: [String: any MeterHandler] = [:]
    }

    private let factory: any MetricsFactory
    private let labels: [(String, String)]
    private let gauges: [ClientMetric: any MeterHandler]
    private let counters: [ClientMetric: any CounterHandler]
    private let state = Mutex(State())

    private static let gauged: [ClientMetric] = [
        .queuedRecords, .queuedBytes, .waiting, .inFlight, .usualRoundTrip, .slowRoundTrip, .throttle,
    ]
    private static let counted: [ClientMetric] = [
        .sentRecords, .sentBytes, .receivedRecords, .receivedBytes, .retries, .timeouts, .errors, .disconnects,
        .rebalances,
    ]

    /// Makes the metrics of a lane's client of that name.
    init(_ factory: any MetricsFactory, lane: String, client: String) {
        let labels = [(TelemetryKey.lane, lane), (TelemetryKey.clientID, client)]
        self.factory = factory
        self.labels = labels
        self.gauges = Dictionary(
            uniqueKeysWithValues: Self.gauged.map { ($0, factory.makeMeter(label: $0.rawValue, dimensions: labels)) }
        )
        self.counters = Dictionary(
            uniqueKeysWithValues: Self.counted.map { ($0, factory.makeCounter(label: $0.rawValue, dimensions: labels)) }
        )
    }

    func tell(_ statistics: ClientStatistics) {
        for (metric, value) in statistics.gauges { self.gauges[metric]?.set(value) }
        self.state.withLock { state in
            for (metric, count) in statistics.counts {
                self.counters[metric]?.increment(by: count - (state.told[metric] ?? 0))
            }
            state.told = statistics.counts
            for address in statistics.connections.keys where state.connections[address] == nil {
                state.connections[address] = self.factory.makeMeter(
                    label: ClientMetric.connected.rawValue,
                    dimensions: self.labels + [(TelemetryKey.address, address)]
                )
            }
            for (address, meter) in state.connections {
                meter.set(Int64(statistics.connections[address] == true ? 1 : 0))
            }
        }
    }

    /// The client was closed: nothing waits in it, and it has no connections.
    func end() {
        for meter in self.gauges.values { meter.set(Int64(0)) }
        for meter in self.state.withLock(\.connections).values { meter.set(Int64(0)) }
    }
}
