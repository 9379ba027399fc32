package import IntentEvents
package import IntentRuntime

/// A plain consumer at the end of the hops.
package enum ResponseWatcher {
    /// Reads until the body has enough.
    ///
    /// - Parameters:
    ///   - offsets: The offsets to begin at.
    ///   - log: The log to read.
    ///   - timeout: The longest time without records before this gives up.
    ///   - take: Receives the records and the time of reading; returns whether that was all.
    /// - Returns: The offsets at which it stopped reading.
    /// - Throws: `LogError`; ``BenchmarkError`` when nothing has come for too long.
    @discardableResult
    package static func watch(
        _ offsets: [TopicPartition: Int64],
        of log: any EventLog,
        timeout: Duration = .seconds(60),
        _ take: ([LogRecord], ContinuousClock.Instant) -> Bool
    ) async throws -> [TopicPartition: Int64] {
        let reader = try await log.makeReader(from: offsets)
        var reached = offsets
        do {
            var last = ContinuousClock.now
            while true {
                let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
                let now = ContinuousClock.now
                if !batch.records.isEmpty { last = now }
                reached.merge(batch.positions) { $1 }
                if take(batch.records, now) { break }
                guard last.duration(to: now) < timeout else {
                    throw BenchmarkError("Nothing has come for \(timeout), although not all has been answered.")
                }
                try Task.checkCancellation()
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        return reached
    }

    /// Reads this many records of a topic.
    ///
    /// - Parameters:
    ///   - count: The number of records.
    ///   - topic: The topic.
    ///   - offsets: The offsets to begin at; partitions that are left out are read from their beginning.
    ///   - log: The log to read.
    ///   - partitions: The number of partitions of the topic.
    /// - Returns: The records, and the next offsets.
    /// - Throws: `LogError`; ``BenchmarkError`` when there are too few in time, or too many.
    @discardableResult
    package static func collect(
        _ count: Int,
        of topic: TopicName,
        from offsets: [TopicPartition: Int64],
        _ log: any EventLog,
        _ partitions: Int
    ) async throws -> (records: [LogRecord], next: [TopicPartition: Int64]) {
        var starts = offsets
        for topicPartition in (0..<partitions).map({ TopicPartition(topic, $0) }) where starts[topicPartition] == nil {
            starts[topicPartition] = 0
        }
        var records: [LogRecord] = []
        let next = try await Self.watch(starts, of: log) { batch, _ in
            records += batch
            return records.count >= count
        }
        guard records.count == count else {
            throw BenchmarkError("\(records.count) records have come on \(topic) instead of \(count).")
        }
        return (records, next)
    }
}
