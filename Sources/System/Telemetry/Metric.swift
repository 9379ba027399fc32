package import CoreMetrics

/// The definition of a metric: its name in swift-metrics, its instrument, its labels, and its description.
///
/// ``Metrics`` defines all of them. A definition has an identity, so a cache of series can compare pointers.
package final class Metric: Sendable {
    /// The instrument of swift-metrics that records a metric.
    package enum Kind: Sendable {
        case counter
        /// A histogram of durations.
        case timer
        /// A histogram of counts or sizes.
        case recorder
        case gauge
    }

    package let name: String
    package let kind: Kind
    /// The keys of its labels, in the order in which their values are given.
    package let labels: [String]
    /// The name in earlier versions, under which it is also exported for two versions; nil if it never changed.
    package let formerName: String?
    /// The description, for `# HELP`.
    package let help: String

    init(_ kind: Kind, _ name: String, _ labels: [String], formerly formerName: String? = nil, _ help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.formerName = formerName
        self.help = help
    }

    /// The metric under its former name; nil if it never changed.
    package var former: Metric? {
        self.formerName.map {
            Metric(self.kind, $0, self.labels, "Deprecated: use \(self.name.replacing(".", with: "_")).")
        }
    }

    fileprivate func dimensions(_ kind: Kind, _ values: [String]) -> [(String, String)] {
        assert(kind == self.kind, "\(self.name) is a \(self.kind), not a \(kind)")
        assert(values.count == self.labels.count, "\(self.name) has the labels \(self.labels), not \(values.count)")
        return Array(zip(self.labels, values))
    }
}

extension Metric: Hashable {
    package static func == (one: Metric, other: Metric) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MetricsFactory {
    /// The series of a metric with these values of its labels.
    package func counter(_ metric: Metric, _ values: [String] = []) -> any CounterHandler {
        self.makeCounter(label: metric.name, dimensions: metric.dimensions(.counter, values))
    }

    /// The series of a metric with these values of its labels.
    package func timer(_ metric: Metric, _ values: [String] = []) -> any TimerHandler {
        self.makeTimer(label: metric.name, dimensions: metric.dimensions(.timer, values))
    }

    /// The series of a metric with these values of its labels.
    package func recorder(_ metric: Metric, _ values: [String] = []) -> any RecorderHandler {
        self.makeRecorder(label: metric.name, dimensions: metric.dimensions(.recorder, values), aggregate: true)
    }

    /// The series of a metric with these values of its labels.
    package func gauge(_ metric: Metric, _ values: [String] = []) -> any MeterHandler {
        self.makeMeter(label: metric.name, dimensions: metric.dimensions(.gauge, values))
    }
}
