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
            "Records in the client's queues: fetched and not consumed, or produced and not acknowledged."
        case .queuedBytes: "Bytes in the client's queues."
        case .waiting: "Requests waiting to be sent to a broker."
        case .inFlight: "Requests awaiting a response from a broker; a consumer has one fetch open at each broker."
        case .usualRoundTrip:
            "Median round-trip time of requests in the last seconds, of the slowest broker; includes the time that "
                + "fetches wait for records."
        case .slowRoundTrip: "The 99th percentile of the same round-trip time."
        case .throttle: "Average throttle time of the broker that throttled most."
        case .connected: "1 if a client is connected to the broker; clients connect only to brokers that they need."
        case .sentRecords: "Records sent to brokers."
        case .sentBytes: "Bytes sent to brokers."
        case .receivedRecords: "Records received from brokers, without records of aborted transactions."
        case .receivedBytes: "Bytes received from brokers."
        case .retries: "Requests retried."
        case .timeouts: "Requests that timed out."
        case .errors: "Requests that could not be sent, and responses that could not be read."
        case .disconnects: "Connections lost or closed."
        case .rebalances: "Rebalances of a consumer."
        }
    }
}
