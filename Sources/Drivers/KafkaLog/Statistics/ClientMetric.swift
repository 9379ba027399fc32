/// A metric of a lane's Kafka clients, from the client library's statistics.
package enum ClientMetric: String, CaseIterable, Sendable {
    // What is now.
    case queuedRecords = "intentd.kafka.client.queue.records"
    case queuedBytes = "intentd.kafka.client.queue.bytes"
    case waiting = "intentd.kafka.client.requests.waiting"
    case inFlight = "intentd.kafka.client.requests.in_flight"
    case usualRoundTrip = "intentd.kafka.client.round_trip.p50.seconds"
    case slowRoundTrip = "intentd.kafka.client.round_trip.p99.seconds"
    case throttle = "intentd.kafka.client.throttle.seconds"
    case connected = "intentd.kafka.client.connected"
    // What was counted.
    case sentRecords = "intentd.kafka.client.sent.records"
    case sentBytes = "intentd.kafka.client.sent.bytes"
    case receivedRecords = "intentd.kafka.client.received.records"
    case receivedBytes = "intentd.kafka.client.received.bytes"
    case retries = "intentd.kafka.client.retries"
    case timeouts = "intentd.kafka.client.timeouts"
    case errors = "intentd.kafka.client.errors"
    case disconnects = "intentd.kafka.client.disconnects"
    case rebalances = "intentd.kafka.client.rebalances"

    /// The metric's description, for `# HELP`.
    package var help: String {
        switch self {
        case .queuedRecords:
            "Records in the client library: fetched and not taken yet, or written and not acknowledged."
        case .queuedBytes: "Bytes of those records."
        case .waiting: "Requests that wait to be sent to a broker."
        case .inFlight: "Requests that brokers have not answered yet; a consumer has one fetch open at each broker."
        case .usualRoundTrip:
            "Median time to a broker's answer in the last seconds, of the slowest broker; a consumer's fetches wait "
                + "at the broker for records."
        case .slowRoundTrip: "The same, of the slowest request in a hundred."
        case .throttle: "How long brokers held answers back for a quota, on average, at the broker that did so most."
        case .connected: "1 while a client is connected to that broker; it connects to those that it needs."
        case .sentRecords: "Records that were sent to brokers."
        case .sentBytes: "Bytes that were sent to brokers."
        case .receivedRecords: "Records that were received from brokers, without those of aborted transactions."
        case .receivedBytes: "Bytes that were received from brokers."
        case .retries: "Requests that were sent again."
        case .timeouts: "Requests that were not answered in time."
        case .errors: "Requests that could not be sent, and answers that could not be read."
        case .disconnects: "Connections that were lost or closed."
        case .rebalances: "Changes of a consumer's assignment."
        }
    }
}
