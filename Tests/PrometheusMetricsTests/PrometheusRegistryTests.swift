import CoreMetrics
import PrometheusMetrics
import Testing

@Suite("Metrics in Prometheus' text format")
struct PrometheusRegistryTests {
    @Test("Counters, gauges and histograms are written with their names and labels, each with its type and help")
    func writesCountersGaugesAndHistograms() {
        let registry = PrometheusRegistry(help: ["intentd.turns": "Turns that were run.", "lag": "Records behind."])
        registry.makeCounter(label: "intentd.turns", dimensions: [("stage", "resolve"), ("outcome", "asked")])
            .increment(by: 3)
        registry.makeCounter(label: "intentd.turns", dimensions: [("outcome", "ended"), ("stage", "handle")])
            .increment(by: 1)
        registry.makeMeter(label: "lag", dimensions: []).set(Int64(7))
        let timer = registry.makeTimer(label: "commit", dimensions: [("lane", "a")])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(4_000_000_000_000)
        #expect(
            registry.text()
                .hasPrefix(
                    """
                    # TYPE commit_seconds histogram
                    commit_seconds_bucket{lane="a",le="0.001"} 0
                    commit_seconds_bucket{lane="a",le="0.0025"} 1

                    """
                )
        )
        #expect(
            registry.text()
                .hasSuffix(
                    """
                    commit_seconds_bucket{lane="a",le="1800"} 1
                    commit_seconds_bucket{lane="a",le="+Inf"} 2
                    commit_seconds_sum{lane="a"} 4000.002
                    commit_seconds_count{lane="a"} 2
                    # HELP intentd_turns_total Turns that were run.
                    # TYPE intentd_turns_total counter
                    intentd_turns_total{outcome="asked",stage="resolve"} 3
                    intentd_turns_total{outcome="ended",stage="handle"} 1
                    # HELP lag Records behind.
                    # TYPE lag gauge
                    lag 7

                    """
                )
        )
    }

    @Test("A series is created once, in whatever order its labels are given")
    func sameLabelsGiveSameSeries() {
        let registry = PrometheusRegistry()
        for _ in 0..<3 {
            registry.makeCounter(label: "a.b", dimensions: [("x", "1"), ("y", "2")]).increment(by: 1)
            registry.makeCounter(label: "a.b", dimensions: [("y", "2"), ("x", "1")]).increment(by: 1)
        }
        #expect(registry.text() == "# TYPE a_b_total counter\na_b_total{x=\"1\",y=\"2\"} 6\n")
    }

    @Test("Quotes, backslashes and newlines in a value are escaped; names have letters, digits and underscores")
    func escapesValuesAndNames() {
        let registry = PrometheusRegistry()
        registry.makeMeter(label: "9 lives-é", dimensions: [("a-b", "\"\\\n}")]).set(Int64(1))
        #expect(registry.text() == "# TYPE _9_lives__ gauge\n_9_lives__{a_b=\"\\\"\\\\\\n}\"} 1\n")
    }

    @Test("A name of another kind, and series beyond the limit, are dropped and counted")
    func dropsConflictingAndExcessSeries() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "a", dimensions: []).increment(by: 1)
        registry.makeMeter(label: "a", dimensions: [("x", "1")]).set(Int64(5))
        for number in 1..<PrometheusRegistry.maximumSeries {
            registry.makeCounter(label: "b", dimensions: [("n", "\(number)")]).increment(by: 1)
        }
        registry.makeCounter(label: "b", dimensions: [("n", "one too many")]).increment(by: 1)
        let text = registry.text()
        #expect(text.hasSuffix("\nmetrics_dropped_series_total 2\n"))
        #expect(!text.contains("too many\""))
        #expect(!text.contains("a{"))
    }

    @Test("Values are refreshed before they are written; destroyed ones are no longer written")
    func refreshesBeforeWritingAndForgetsDestroyed() {
        let registry = PrometheusRegistry()
        let meter = registry.makeMeter(label: "memory", dimensions: [])
        registry.onCollect { meter.set(Int64(12)) }
        #expect(registry.text() == "# TYPE memory gauge\nmemory 12\n")
        registry.destroyMeter(meter)
        #expect(registry.text().isEmpty)
    }

    @Test("Many threads count, and no count is lost")
    func concurrentCountsAreNotLost() async {
        let registry = PrometheusRegistry()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = registry.makeFloatingPointCounter(label: "n", dimensions: [])
                    for _ in 0..<1_000 { counter.increment(by: 0.5) }
                }
            }
        }
        #expect(registry.text().hasSuffix("n_total 4000\n"))
    }
}
