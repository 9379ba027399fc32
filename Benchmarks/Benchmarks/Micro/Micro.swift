import Benchmark
import IntentBenchmarks

/// Registers the micro-benchmarks with the framework.
let benchmarks: @Sendable () -> Void = {
    let metrics: [BenchmarkMetric] = [.wallClock, .throughput, .cpuTotal]
    for micro in MicroBenchmark.all {
        let configuration = Benchmark.Configuration(
            metrics: metrics,
            scalingFactor: micro.isLong ? .one : .kilo,
            maxDuration: micro.isLong ? .seconds(10) : .seconds(2)
        )
        Benchmark(micro.name, configuration: configuration) { benchmark, work in
            for _ in benchmark.scaledIterations { try await work() }
        } setup: {
            try await micro.prepare()
        }
    }
}
