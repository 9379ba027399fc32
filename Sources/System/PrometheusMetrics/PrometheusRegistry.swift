public import CoreMetrics
import Synchronization

/// Keeps the metrics recorded through swift-metrics, and exposes them in Prometheus' text format.
///
/// A series is created once for a label and its dimensions; a caller that asks again gets the same one. There are at
/// most ``maximumSeries``. Further ones are counted in `metrics_dropped_series_total` and not kept, so a label with too
/// many values costs only its own figures and not the process's memory.
public final class PrometheusRegistry: MetricsFactory {
    /// The number of series that are kept.
    public static let maximumSeries = 20_000

    /// The bounds of durations, in seconds: OpenTelemetry's, and longer ones for waits on people.
    public static let timeBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800,
    ]
    /// The bounds of counts and sizes.
    public static let valueBounds: [Double] = [
        1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 100_000, 1_000_000,
    ]

    private struct State {
        var series: [SeriesKey: any PrometheusSeries] = [:]
        /// The kind of the series of each name: Prometheus allows only one.
        var kinds: [String: ObjectIdentifier] = [:]
        var dropped = 0
    }

    private let help: [String: String]
    private let state = Mutex(State())
    private let refreshers = Mutex<[@Sendable () -> Void]>([])

    /// Creates a registry without series.
    ///
    /// - Parameter help: Descriptions of metrics, by their names in swift-metrics.
    public init(help: [String: String] = [:]) {
        self.help = Dictionary(help.map { (SeriesKey($0.key, []).name, $0.value) }) { $1 }
    }

    /// Registers a closure that is called before the metrics are exposed, for figures that are only computed on demand.
    public func beforeTelling(_ refresh: @escaping @Sendable () -> Void) {
        self.refreshers.withLock { $0.append(refresh) }
    }

    /// All series, in Prometheus' text format 0.0.4.
    public func text() -> String {
        for refresh in self.refreshers.withLock(\.self) { refresh() }
        let (series, dropped) = self.state.withLock { ($0.series, $0.dropped) }
        var text = ""
        var last: String?
        for (key, value) in series.sorted(by: { $0.key < $1.key }) {
            if key.name != last {
                last = key.name
                let name = key.name + type(of: value).suffix
                if let help = self.help[key.name] { text += "# HELP \(name) \(Self.escaped(help))\n" }
                text += "# TYPE \(name) \(type(of: value).kind)\n"
            }
            value.write(key, to: &text)
        }
        if dropped > 0 {
            text += "# HELP metrics_dropped_series_total Series dropped because the limit was reached.\n"
            text += "# TYPE metrics_dropped_series_total counter\nmetrics_dropped_series_total \(dropped)\n"
        }
        return text
    }

    // MARK: MetricsFactory

    /// A counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        self.series(label, dimensions) { PrometheusCounter() }
    }

    /// A counter of values that are not whole numbers.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        self.series(label, dimensions) { PrometheusCounter() }
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        self.series(label, dimensions) { PrometheusGauge() }
    }

    /// A histogram, or a gauge for values that are not to be added up.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate
            ? self.series(label, dimensions) { PrometheusHistogram() } as any RecorderHandler
            : self.series(label, dimensions) { PrometheusGauge() }
    }

    /// A histogram of durations, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        self.series(label, dimensions) { PrometheusTimer() }
    }

    /// Forgets a counter.
    public func destroyCounter(_ handler: any CounterHandler) { self.forget(handler) }

    /// Forgets a counter.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { self.forget(handler) }

    /// Forgets a gauge.
    public func destroyMeter(_ handler: any MeterHandler) { self.forget(handler) }

    /// Forgets a histogram or a gauge.
    public func destroyRecorder(_ handler: any RecorderHandler) { self.forget(handler) }

    /// Forgets a histogram.
    public func destroyTimer(_ handler: any TimerHandler) { self.forget(handler) }

    private func forget(_ handler: AnyObject) {
        self.state.withLock { state in
            guard let key = state.series.first(where: { $0.value === handler })?.key else { return }
            state.series[key] = nil
        }
    }

    /// The series of that name; an unregistered one where the name belongs to another kind, or there are too many
    /// series.
    private func series<Series: PrometheusSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: () -> Series
    ) -> Series {
        let key = SeriesKey(label, dimensions)
        return self.state.withLock { state in
            if let known = state.series[key] as? Series { return known }
            let new = make()
            let kind = ObjectIdentifier(Series.self)
            guard state.kinds[key.name] ?? kind == kind, state.series.count < Self.maximumSeries else {
                state.dropped += 1
                return new
            }
            state.kinds[key.name] = kind
            state.series[key] = new
            return new
        }
    }

    private static func escaped(_ help: String) -> String {
        help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }
}
