import IntentRuntime

/// A plain consumer at the end of the hops.
enum ResponseWatcher {
    /// Reads until the body has enough.
    ///
    /// - Parameters:
    ///   - offsets: Where to begin.
    ///   - log: What to read.
    ///   - patience: How long nothing may come before this gives up.
    ///   - take: Takes what was read and the time of reading; says whether that was all.
    /// - Throws: `LogError`; ``BenchmarkError`` when nothing has come for too long.
    static func watch(
        _ offsets: [TopicPartition: Int64],
        of log: any EventLog,
        patience: Duration = .seconds(60),
        _ take: ([LogRecord], ContinuousClock.Instant) -> Bool
    ) async throws {
        let reader = try await log.makeReader(from: offsets)
        do {
            var last = ContinuousClock.now
            while true {
                let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
                let now = ContinuousClock.now
                if !batch.records.isEmpty { last = now }
                if take(batch.records, now) { break }
                guard last.duration(to: now) < patience else {
                    throw BenchmarkError("Nothing has come for \(patience), although not all has been answered.")
                }
                try Task.checkCancellation()
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
