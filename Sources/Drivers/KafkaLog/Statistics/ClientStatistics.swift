internal import IntentKit
internal import Telemetry

/// What a report of the client library's statistics says, over all brokers and partitions of a client.
struct ClientStatistics: Equatable {
    /// What is now; in seconds where the metric is.
    var gauges: [Metric: Double] = [:]
    /// What was counted since the client was made.
    var counts: [Metric: Int64] = [:]
    /// Whether the client is connected to each broker, by its address; without those that it has never needed.
    var connections: [String: Bool] = [:]

    /// Reads a report; nil when it is none.
    init?(_ report: UnsafeBufferPointer<UInt8>) {
        var isRead = false
        try? JSONTape.withView(of: report) { view in
            isRead = view.kind == .object
            self.read(view)
        }
        guard isRead else { return nil }
    }

    private mutating func read(_ report: JSONView) {
        var brokers = Brokers()
        report["brokers"]?.forEachMember { _, broker in brokers.add(broker) }
        var fetched = (records: Int64(0), bytes: Int64(0))
        report["topics"]?
            .forEachMember { _, topic in
                topic["partitions"]?
                    .forEachMember { _, partition in
                        fetched.records += partition["fetchq_cnt"]?.integer ?? 0
                        fetched.bytes += partition["fetchq_size"]?.integer ?? 0
                    }
            }
        func number(_ name: StaticString) -> Int64 { report[name]?.integer ?? 0 }
        let metrics = Metrics.catalog
        self.connections = brokers.connections
        self.gauges = [
            metrics.clientQueuedRecords: Double(number("msg_cnt") + fetched.records),
            metrics.clientQueuedBytes: Double(number("msg_size") + fetched.bytes),
            metrics.clientWaiting: Double(brokers.waiting),
            metrics.clientInFlight: Double(brokers.inFlight),
            metrics.clientUsualRoundTrip: Double(brokers.usualRoundTrip) / 1e6,
            metrics.clientSlowRoundTrip: Double(brokers.slowRoundTrip) / 1e6,
            metrics.clientThrottle: Double(brokers.throttle) / 1e3,
        ]
        self.counts = [
            metrics.clientSentRecords: number("txmsgs"),
            metrics.clientSentBytes: number("tx_bytes"),
            metrics.clientReceivedRecords: number("rxmsgs"),
            metrics.clientReceivedBytes: number("rx_bytes"),
            metrics.clientRetries: brokers.retries,
            metrics.clientTimeouts: brokers.timeouts,
            metrics.clientErrors: brokers.errors,
            metrics.clientDisconnects: brokers.disconnects,
            metrics.clientRebalances: report["cgrp"]?["rebalance_cnt"]?.integer ?? 0,
        ]
    }
}

extension ClientStatistics {
    /// The sums over a client's brokers; of times, the largest.
    private struct Brokers {
        var waiting: Int64 = 0
        var inFlight: Int64 = 0
        /// In microseconds.
        var usualRoundTrip: Int64 = 0
        /// In microseconds.
        var slowRoundTrip: Int64 = 0
        /// In milliseconds.
        var throttle: Int64 = 0
        var retries: Int64 = 0
        var timeouts: Int64 = 0
        var errors: Int64 = 0
        var disconnects: Int64 = 0
        var connections: [String: Bool] = [:]

        mutating func add(_ broker: JSONView) {
            func number(_ name: StaticString) -> Int64 { broker[name]?.integer ?? 0 }
            self.waiting += number("outbuf_cnt")
            self.inFlight += number("waitresp_cnt")
            self.retries += number("txretries")
            self.timeouts += number("req_timeouts")
            self.errors += number("txerrs") + number("rxerrs")
            self.disconnects += number("disconnects")
            if let roundTrips = broker["rtt"] {
                self.usualRoundTrip = max(self.usualRoundTrip, roundTrips["p50"]?.integer ?? 0)
                self.slowRoundTrip = max(self.slowRoundTrip, roundTrips["p99"]?.integer ?? 0)
            }
            self.throttle = max(self.throttle, broker["throttle"]?["avg"]?.integer ?? 0)
            // The coordinator has a connection of its own to one of the others.
            guard number("connects") > 0, let address = broker["nodename"]?.string else { return }
            self.connections[address] = self.connections[address] == true || broker["state"]?.string == "UP"
        }
    }
}
