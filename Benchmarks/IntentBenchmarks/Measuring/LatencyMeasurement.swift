import IntentEvents
import IntentRuntime
import IntentLab

/// Sends requests at a fixed rate, and measures the latency of each answer.
struct LatencyMeasurement: Sendable {
    /// The log and the layout.
    var bench: MeasuredLog
    /// Requests per second.
    var rate: Int
    /// The number of seconds during which answers count.
    var seconds: Int
    /// The number of seconds of warm-up before that.
    var warmUp: Int
    /// Selects the users whose answers count.
    var counts: @Sendable (_ user: UserID) -> Bool = { _ in true }

    /// Measures.
    ///
    /// - Parameters:
    ///   - input: The topic of the requests.
    ///   - output: The topic of the answers.
    ///   - number: The number of the request that a record answers, if it does.
    /// - Returns: The latencies of the answers that count.
    /// - Throws: `LogError`; ``BenchmarkError`` when answers are missing.
    func run(
        from input: TopicName,
        to output: TopicName,
        number: @escaping @Sendable (LogRecord) -> Int?
    ) async throws -> Latencies {
        let maker = RequestMaker(users: self.bench.shape.users, partitions: self.bench.shape.partitions)
        let skipped = self.rate * self.warmUp
        let count = skipped + self.rate * self.seconds
        let expected = (skipped..<count).reduce(0) { $0 + (self.counts(maker.user($1)) ? 1 : 0) }
        let producer = try await self.bench.log.makeProducer()
        let ends = try await self.bench.ends(of: output)
        let loop = OpenLoop(rate: self.rate, count: count, start: .now + .seconds(1))
        async let sending: Void = loop.run(producer) { maker.record($0, topic: input) }
        var latencies = Latencies()
        try await ResponseWatcher.watch(ends, of: self.bench.log) { records, now in
            for record in records {
                guard let index = number(record), index >= skipped, self.counts(maker.user(index)) else { continue }
                latencies.add(loop.time(of: index).duration(to: now))
            }
            return latencies.count >= expected
        }
        try await sending
        await producer.close()
        return latencies
    }
}
