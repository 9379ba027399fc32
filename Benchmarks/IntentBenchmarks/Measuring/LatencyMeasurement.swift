import IntentEvents
import IntentRuntime
import IntentLab

/// Sends requests at a fixed rate, and takes the time of each answer.
struct LatencyMeasurement: Sendable {
    /// Where everything runs.
    var bench: MeasuredLog
    /// Requests a second.
    var rate: Int
    /// For how many seconds answers count.
    var seconds: Int
    /// For how many seconds before that they don't.
    var warmUp: Int
    /// Whose answers count.
    var counts: @Sendable (_ user: UserID) -> Bool = { _ in true }

    /// Measures.
    ///
    /// - Parameters:
    ///   - input: The topic that the requests go to.
    ///   - output: The topic that the answers come to.
    ///   - number: Which request a record answers, if it does.
    /// - Returns: The times of the answers that count.
    /// - Throws: `LogError`; ``BenchmarkError`` when answers stay away.
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
