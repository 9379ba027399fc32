extension EventLog {
    /// Reads stretches of partitions, each from an offset up to another one that was asked for before, and no further.
    ///
    /// - Parameters:
    ///   - stretches: By partition; an empty one is passed over.
    ///   - body: Takes what is read, in the order of each partition.
    /// - Throws: ``LogError``, `offsetOutOfRange` when the log no longer holds the beginning.
    package func read(
        _ stretches: [TopicPartition: Range<Int64>],
        _ body: ([LogRecord]) throws -> Void
    ) async throws {
        var open = stretches.filter { !$0.value.isEmpty }
        guard !open.isEmpty else { return }
        let reader = try await self.makeReader(from: open.mapValues(\.lowerBound))
        do {
            while !open.isEmpty {
                try Task.checkCancellation()
                let batch = try await reader.next(maxRecords: 2_000, timeout: .milliseconds(500))
                try body(batch.records.filter { stretches[$0.topicPartition]?.contains($0.offset) ?? false })
                for (partition, position) in batch.positions where position >= open[partition]?.upperBound ?? .max {
                    open[partition] = nil
                }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
