import IntentRuntime
import IntentLab

/// Measures floors, drain and latencies, copy and pipeline in turn.
struct Comparison {
    private let bench: MeasuredLog
    private let options: PipelineBenchmark

    /// Prepares the measurements that the options ask for.
    init(bench: MeasuredLog, options: PipelineBenchmark) {
        self.bench = bench
        self.options = options
    }

    /// Performs them.
    func run(into report: inout Report) async throws {
        let rounds = self.options.rounds
        var floors: [Floors] = []
        var copies: [Drain] = []
        var pipelines: [Drain] = []
        for _ in 0..<rounds {
            self.bench.announce("plain produce and consume")
            floors.append(try await Floors.measure(self.options.events, self.bench))
            copies.append(try await self.drainCopy())
            pipelines.append(try await self.drainPipeline())
        }
        report.add("plain produce", "records/s", floor: Report.median(floors.map(\.produced)))
        report.add("plain consume", "records/s", floor: Report.median(floors.map(\.consumed)))
        let comparisons: [(String, String, (Drain) -> Double, (Drain) -> Double)] = [
            ("backlog, start to last response", "events/s", \.rate, \.rate),
            ("backlog, once it flows", "events/s", \.flowingRate, \.flowingRate),
            ("backlog, until all is recorded", "events/s", \.rate, \.recordedRate),
            ("backlog, processor time", "µs/event", \.processorPerEvent, \.processorPerEvent),
        ]
        for (name, unit, floor, value) in comparisons {
            report.add(
                name,
                unit,
                floor: Report.median(copies.map(floor)),
                value: Report.median(pipelines.map(value))
            )
        }
        for rate in self.options.fixedRates ?? [] {
            var copies: [Latencies] = []
            var pipelines: [Latencies] = []
            for _ in 0..<rounds {
                copies.append(try await self.copyLatencies(rate: rate))
                pipelines.append(try await self.pipelineLatencies(rate: rate))
            }
            for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
                func median(_ latencies: [Latencies]) -> Double {
                    Report.median(
                        latencies.map {
                            var latencies = $0
                            return latencies.percentile(part)
                        }
                    )
                }
                report.add("\(name) at \(rate)/s", "ms", floor: median(copies), value: median(pipelines))
            }
        }
    }

    private func drainCopy() async throws -> Drain {
        self.bench.announce("bare copy of a backlog")
        let chain = try await CopyChain.make(self.bench)
        _ = try await Backlog.write(self.options.events, to: chain.input, self.bench)
        return try await chain.run {
            try await Drain.measure(self.options.events, on: chain.output, self.bench) { _ in true }
        }
    }

    private func drainPipeline() async throws -> Drain {
        self.bench.announce("pipeline from a backlog")
        let pipeline = try await Pipeline.make(self.bench)
        _ = try await Backlog.write(self.options.events, to: pipeline.input, self.bench)
        return try await pipeline.run {
            let began = ContinuousClock.now
            let processor = ProcessorTime.seconds
            var drain = try await Drain.measure(self.options.events, on: pipeline.output, self.bench) {
                RequestMaker.terminalNumber($0) != nil
            }
            await pipeline.waitUntilRecorded(self.options.events)
            drain.recorded = began.duration(to: .now).inSeconds
            drain.processor = ProcessorTime.seconds - processor
            return drain
        }
    }

    private func copyLatencies(rate: Int) async throws -> Latencies {
        self.bench.announce("bare copy at \(rate)/s")
        let chain = try await CopyChain.make(self.bench)
        return try await chain.run {
            try await self.latency(rate).run(from: chain.input, to: chain.output, number: RequestMaker.number)
        }
    }

    private func pipelineLatencies(rate: Int) async throws -> Latencies {
        self.bench.announce("pipeline at \(rate)/s")
        let pipeline = try await Pipeline.make(self.bench)
        return try await pipeline.run {
            try await self.latency(rate)
                .run(from: pipeline.input, to: pipeline.output, number: RequestMaker.terminalNumber)
        }
    }

    private func latency(_ rate: Int) -> LatencyMeasurement {
        LatencyMeasurement(
            bench: self.bench,
            rate: rate,
            seconds: self.options.seconds,
            warmUp: self.options.warmUp
        )
    }
}
