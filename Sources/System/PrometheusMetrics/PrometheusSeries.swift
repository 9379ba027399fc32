import CoreMetrics
import Synchronization

/// A metric's value that can be exposed.
protocol PrometheusSeries: AnyObject, Sendable {
    /// Prometheus' name of its kind.
    static var kind: String { get }
    /// The suffix of the metric's name.
    static var suffix: String { get }

    /// Appends the series' lines.
    func write(_ key: SeriesKey, to text: inout String)
}

/// A value that only grows.
final class PrometheusCounter: PrometheusSeries, CounterHandler, FloatingPointCounterHandler {
    static let kind = "counter"
    static let suffix = "_total"
    private let number = AtomicNumber()

    func increment(by amount: Int64) { self.number.add(Double(max(0, amount))) }

    func increment(by amount: Double) { if amount > 0 { self.number.add(amount) } }

    func reset() { self.number.set(0) }

    func write(_ key: SeriesKey, to text: inout String) {
        text += "\(key.name)\(Self.suffix)\(key.braced) \(PrometheusNumber.text(self.number.value))\n"
    }
}

/// A value that goes up and down.
final class PrometheusGauge: PrometheusSeries, MeterHandler, RecorderHandler {
    static let kind = "gauge"
    static let suffix = ""
    private let number = AtomicNumber()

    func set(_ value: Int64) { self.number.set(Double(value)) }

    func set(_ value: Double) { self.number.set(value) }

    func increment(by amount: Double) { self.number.add(amount) }

    func decrement(by amount: Double) { self.number.add(-amount) }

    func record(_ value: Int64) { self.number.set(Double(value)) }

    func record(_ value: Double) { self.number.set(value) }

    func write(_ key: SeriesKey, to text: inout String) {
        text += "\(key.name)\(key.braced) \(PrometheusNumber.text(self.number.value))\n"
    }
}

/// The distribution of values.
final class PrometheusHistogram: PrometheusSeries, RecorderHandler {
    static let kind = "histogram"
    static let suffix = ""
    private let buckets = HistogramBuckets(bounds: PrometheusRegistry.valueBounds)

    func record(_ value: Int64) { self.buckets.record(Double(value)) }

    func record(_ value: Double) { self.buckets.record(value) }

    func write(_ key: SeriesKey, to text: inout String) { self.buckets.write(key, key.name, to: &text) }
}

/// The distribution of durations, in seconds.
final class PrometheusTimer: PrometheusSeries, TimerHandler {
    static let kind = "histogram"
    static let suffix = "_seconds"
    private let buckets = HistogramBuckets(bounds: PrometheusRegistry.timeBounds)

    func recordNanoseconds(_ duration: Int64) { self.buckets.record(Double(duration) / 1_000_000_000) }

    func write(_ key: SeriesKey, to text: inout String) { self.buckets.write(key, key.name + Self.suffix, to: &text) }
}

/// The numbers of values up to each of several bounds.
private final class HistogramBuckets: Sendable {
    private struct State {
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        self.state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = self.bounds.firstIndex { value <= $0 } ?? self.bounds.count
        self.state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func write(_ key: SeriesKey, _ name: String, to text: inout String) {
        let (counts, sum) = self.state.withLock { ($0.counts, $0.sum) }
        var count: UInt64 = 0
        for (bound, more) in zip(self.bounds + [.infinity], counts) {
            count += more
            text += "\(name)_bucket\(key.labels(and: "le=\"\(PrometheusNumber.text(bound))\"")) \(count)\n"
        }
        text += "\(name)_sum\(key.braced) \(PrometheusNumber.text(sum))\n\(name)_count\(key.braced) \(count)\n"
    }
}

/// Numbers in Prometheus' notation.
enum PrometheusNumber {
    /// `3`, `0.25`, `+Inf`.
    static func text(_ number: Double) -> String {
        if number == .infinity { return "+Inf" }
        if number == -.infinity { return "-Inf" }
        if number.isNaN { return "NaN" }
        let isWhole = number == number.rounded() && abs(number) < 1e15
        return isWhole ? String(Int64(number)) : "\(number)"
    }
}
