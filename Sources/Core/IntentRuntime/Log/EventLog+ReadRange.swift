extension EventLog {
    /// Reads ranges of partitions, each from an offset up to an end that was queried before, and no further.
    ///
    /// - Parameters:
    ///   - ranges: The ranges by partition; empty ones are skipped.
    ///   - clock: The clock that detects a lack of progress.
    ///   - body: Receives the records, in the order of each partition.
    /// - Throws: ``LogError``, `offsetOutOfRange` when the log no longer holds the beginning, `noProgress` when nothing
    ///   comes for a minute.
    package func read(
        _ ranges: [TopicPartition: Range<Int64>],
        clock: any RuntimeClock = SystemRuntimeClock(),
        _ body: ([LogRecord]) throws -> Void
    ) async throws {
        var open = ranges.filter { !$0.value.isEmpty }
        guard !open.isEmpty else { return }
        let starts = open.mapValues(\.lowerBound)
        let reader = try await self.makeReader(from: starts)
        var progress = ReadingProgress(from: starts, at: clock.uptime)
        do {
            while !open.isEmpty {
                try Task.checkCancellation()
                let batch = try await reader.next(maxRecords: 2_000, timeout: .milliseconds(500))
                try body(batch.records.filter { ranges[$0.topicPartition]?.contains($0.offset) ?? false })
                for (partition, position) in batch.positions where position >= open[partition]?.upperBound ?? .max {
                    open[partition] = nil
                }
                try progress.show(batch.positions, before: open.mapValues(\.upperBound), at: clock.uptime)
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
