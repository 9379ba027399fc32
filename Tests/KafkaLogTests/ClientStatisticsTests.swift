import Foundation
import IntentEvents
import IntentLab
import IntentRuntime
import PrometheusMetrics
import Telemetry
import Testing

@testable import KafkaLog

/// The client library's statistics, as metrics.
struct ClientStatisticsTests {
    /// A report of librdkafka 2.0.2, without the members that nobody reads; a coordinator is one of the brokers.
    private static let report = """
        { "name": "c", "type": "consumer", "msg_cnt":2, "msg_size":30, "brokers":{ \
        "a:1/1": { "nodename":"a:1", "source":"learned", "state":"UP", "outbuf_cnt":3, "waitresp_cnt":1, "txerrs":1, \
        "txretries":4, "req_timeouts":5, "rxerrs":2, "connects":7, "disconnects":6, \
        "rtt": { "min":0, "p50": 1500, "p99": 90000 }, "throttle": { "avg":250 } } , \
        "b:1/2": { "nodename":"b:1", "source":"learned", "state":"CONNECT", "connects":1, "disconnects":1, \
        "rtt": { "p50": 2500, "p99": 3000 } } , \
        "c:1/3": { "nodename":"c:1", "source":"learned", "state":"INIT", "connects":0 } , \
        "GroupCoordinator": { "nodename":"a:1", "source":"logical", "state":"DOWN", "waitresp_cnt":1, "connects":1 } }, \
        "topics":{ "t": { "partitions":{ "0": { "fetchq_cnt":10, "fetchq_size":1000 } , \
        "1": { "fetchq_cnt":5, "fetchq_size":500 } } } } , "cgrp": { "rebalance_cnt": 3 }, \
        "tx_bytes":1388, "rx_bytes":1861, "txmsgs":8, "rxmsgs":9}
        """

    private static func statistics(_ report: String) -> ClientStatistics? {
        var report = report
        return report.withUTF8 { ClientStatistics($0) }
    }

    @Test func sumsReportOverBrokersAndPartitions() throws {
        let metrics = Metrics.catalog
        let statistics = try #require(Self.statistics(Self.report))
        #expect(
            statistics.gauges == [
                metrics.clientQueuedRecords: 17, metrics.clientQueuedBytes: 1_530, metrics.clientWaiting: 3,
                metrics.clientInFlight: 2, metrics.clientUsualRoundTrip: 0.0025,
                metrics.clientSlowRoundTrip: 0.09, metrics.clientThrottle: 0.25,
            ]
        )
        #expect(
            statistics.counts == [
                metrics.clientSentRecords: 8, metrics.clientSentBytes: 1_388, metrics.clientReceivedRecords: 9,
                metrics.clientReceivedBytes: 1_861, metrics.clientRetries: 4,
                metrics.clientTimeouts: 5, metrics.clientErrors: 3, metrics.clientDisconnects: 7,
                metrics.clientRebalances: 3,
            ]
        )
        #expect(statistics.connections == ["a:1": true, "b:1": false])
    }

    @Test(arguments: ["", "[]", "{", "7"]) func ignoresInvalidReport(_ text: String) {
        #expect(Self.statistics(text) == nil)
    }

    @Test func missingMemberCountsAsZero() throws {
        let statistics = try #require(Self.statistics("{}"))
        #expect(Set(statistics.gauges.values) == [0])
        #expect(Set(statistics.counts.values) == [0])
    }

    @Test func countersGrowAndClosedClientsDisappear() throws {
        let registry = PrometheusRegistry()
        let metrics = ClientMetrics(registry, lane: "l", client: "c")
        var statistics = try #require(Self.statistics(Self.report))
        metrics.record(statistics)
        metrics.record(statistics)
        statistics.counts[Metrics.catalog.clientRetries] = 6
        statistics.connections = [:]
        metrics.record(statistics)
        let labels = "lane=\"l\",messaging_client_id=\"c\""
        let text = registry.text()
        #expect(text.contains("intentd_kafka_client_retries_total{\(labels)} 6\n"), "\(text)")
        #expect(text.contains("intentd_kafka_client_connected{\(labels),server_address=\"a:1\"} 0\n"), "\(text)")
        #expect(text.contains("intentd_kafka_client_queue_records{\(labels)} 17\n"), "\(text)")
        metrics.end()
        #expect(registry.text().contains("intentd_kafka_client_queue_records{\(labels)} 0\n"))
        // Its successor counts from the beginning.
        ClientMetrics(registry, lane: "l", client: "c").record(statistics)
        #expect(registry.text().contains("intentd_kafka_client_retries_total{\(labels)} 12\n"))
    }

    @Test func laneClientsReportStatistics() async throws {
        try await TestBroker.with { broker in
            var configuration = broker.configuration
            configuration.statisticsInterval = .milliseconds(50)
            let log = KafkaLog(configuration)
            let registry = PrometheusRegistry()
            log.measure(with: registry)
            _ = try await log.createTopics([TopicDescription(name: "t", partitions: 1)])
            let lane = try await log.makeLane(LaneConfiguration(group: "g", topics: ["t"], name: "l"))
            // An idle producer is served as well: it writes nothing here.
            for role in ["consumer", "producer"] {
                let labels = "{lane=\"l\",messaging_client_id=\"g-l-\(role)\",server_address=\"\(broker.address)\"}"
                let line = "intentd_kafka_client_connected\(labels) 1\n"
                let deadline = ContinuousClock.now + .seconds(30)
                while !registry.text().contains(line), .now < deadline {
                    _ = try await lane.poll(maxRecords: 1, timeout: .milliseconds(20))
                }
                #expect(registry.text().contains(line), "\(registry.text())")
            }
            await lane.close()
            await log.close()
        }
    }
}
