internal import CoreMetrics
internal import EmbeddedBroker

/// Exposes the activity of an embedded broker as metrics.
///
/// Counters are increased by what was added since the last time.
struct BrokerMetrics: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case connections = "intentd.broker.connections"
        case requests = "intentd.broker.requests"
        case received = "intentd.broker.received.bytes"
        case sent = "intentd.broker.sent.bytes"
        case commits = "intentd.broker.transactions.committed"
        case aborts = "intentd.broker.transactions.aborted"

        /// The description, for `# HELP`.
        var help: String {
            switch self {
            case .connections: "Open connections of the embedded broker."
            case .requests: "Requests received by the embedded broker."
            case .received: "Bytes of requests that the embedded broker has read."
            case .sent: "Bytes of answers that the embedded broker has written."
            case .commits: "Transactions that the embedded broker has committed."
            case .aborts: "Transactions that the embedded broker has aborted."
            }
        }
    }

    private let broker: BrokerHost
    private var told = EmbeddedBroker.Statistics()

    init(_ broker: BrokerHost) { self.broker = broker }

    /// Records what has been added since the last time.
    mutating func tell(_ factory: any MetricsFactory) {
        let now = self.broker.statistics
        factory.makeMeter(label: Name.connections.rawValue, dimensions: []).set(Int64(now.connections))
        let counters: [(Name, KeyPath<EmbeddedBroker.Statistics, Int>)] = [
            (.requests, \.requests), (.received, \.receivedBytes), (.sent, \.sentBytes), (.commits, \.commits),
            (.aborts, \.aborts),
        ]
        for (name, count) in counters {
            factory.makeCounter(label: name.rawValue, dimensions: [])
                .increment(by: Int64(now[keyPath: count] - self.told[keyPath: count]))
        }
        self.told = now
    }
}
