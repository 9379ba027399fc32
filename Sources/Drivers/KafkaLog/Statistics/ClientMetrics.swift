internal import CoreMetrics
import Synchronization
import Telemetry

/// Exports the statistics of one client of a lane as metrics.
///
/// Labels are the lane, the client's name, and a broker's address.
final class ClientMetrics: Sendable {
    private struct State {
        /// The counts of the last report.
        var counted: [Metric: Int64] = [:]
        var connections: [String: any MeterHandler] = [:]
    }

    private let factory: any MetricsFactory
    private let labels: [String]
    private let gauges: [Metric: any MeterHandler]
    private let counters: [Metric: any CounterHandler]
    private let state = Mutex(State())

    init(_ factory: any MetricsFactory, lane: String, client: String) {
        let labels = [lane, client]
        func handles<Handle>(_ kind: Metric.Kind, _ make: (Metric) -> Handle) -> [Metric: Handle] {
            let metrics = Metrics.ofClient.filter { $0.kind == kind }
            return Dictionary(uniqueKeysWithValues: metrics.map { ($0, make($0)) })
        }
        self.factory = factory
        self.labels = labels
        self.gauges = handles(.gauge) { factory.gauge($0, labels) }
        self.counters = handles(.counter) { factory.counter($0, labels) }
    }

    func record(_ statistics: ClientStatistics) {
        for (metric, value) in statistics.gauges { self.gauges[metric]?.set(value) }
        self.state.withLock { state in
            for (metric, count) in statistics.counts {
                self.counters[metric]?.increment(by: count - (state.counted[metric] ?? 0))
            }
            state.counted = statistics.counts
            for address in statistics.connections.keys where state.connections[address] == nil {
                state.connections[address] = self.factory.gauge(
                    Metrics.catalog.clientConnected,
                    self.labels + [address]
                )
            }
            for (address, meter) in state.connections {
                meter.set(Int64(statistics.connections[address] == true ? 1 : 0))
            }
        }
    }

    /// Sets all gauges to 0: the client is closed.
    func end() {
        for meter in self.gauges.values { meter.set(Int64(0)) }
        for meter in self.state.withLock(\.connections).values { meter.set(Int64(0)) }
    }
}
