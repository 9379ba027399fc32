import IntentEvents
import IntentWorkloads

/// The check that a handler which takes 10 s for one user in a hundred does not hold the others up: their p99 stays
/// within twice what it is without it, both taken in one run.
struct SlowUserCheck {
    private let bench: Workbench
    private let seconds: Int
    private let warmUp: Int

    /// Prepares measurements of that length.
    init(bench: Workbench, seconds: Int, warmUp: Int) {
        self.bench = bench
        self.seconds = seconds
        self.warmUp = warmUp
    }

    /// Measures without and with slow users, at the same rate.
    func run(rate: Int, into report: inout Report) async throws {
        var without = try await self.latencies(rate: rate, slowUsers: false)
        var with = try await self.latencies(rate: rate, slowUsers: true)
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            report.add(
                "\(name) of the other users at \(rate)/s",
                "ms",
                floor: without.percentile(part),
                value: with.percentile(part)
            )
        }
        report.columns = ("without slow users", "with slow users")
    }

    private func latencies(rate: Int, slowUsers: Bool) async throws -> Latencies {
        self.bench.announce("pipeline at \(rate)/s \(slowUsers ? "with" : "without") slow users")
        let pipeline = try await Pipeline.make(self.bench, slowUsers: slowUsers)
        return try await pipeline.run {
            try await LatencyMeasurement(
                bench: self.bench,
                rate: rate,
                seconds: self.seconds,
                warmUp: self.warmUp,
                counts: { !SlowForSomeHandler.isSlow($0.text) }
            )
            .run(from: pipeline.input, to: pipeline.output, number: RequestMaker.terminalNumber)
        }
    }
}
