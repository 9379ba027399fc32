package import IntentRuntime

/// Reads topics without joining a group: from some offsets on, forever or up to their current end.
package struct LogFollower {
    private let log: any EventLog
    private let partitions: [TopicPartition]

    package init(log: any EventLog, partitions: [TopicPartition]) {
        self.log = log
        self.partitions = partitions
    }

    /// Reads records and hands them over: existing ones in the order of time over all partitions (``TimeOrder``), later
    /// ones as they come.
    ///
    /// - Parameters:
    ///   - fromBeginning: Whether to begin with the first existing record, or with the next one that comes.
    ///   - untilEnd: Whether to stop at the current end of the topics.
    ///   - onReady: Called once when reading begins.
    ///   - body: Receives records.
    /// - Throws: `LogError`, `noProgress` when it is to stop at an end and nothing comes for a minute;
    ///   `CancellationError`; the body's own errors.
    package func run(
        fromBeginning: Bool,
        untilEnd: Bool,
        onReady: () -> Void = {},
        _ body: ([LogRecord]) throws -> Void
    ) async throws {
        let ends = try await self.log.offsets(self.partitions, at: .lastStable)
        let starts = fromBeginning ? try await self.log.offsets(self.partitions, at: .earliest) : ends
        var open = Set(self.partitions.filter { starts[$0] ?? 0 < ends[$0] ?? 0 })
        if untilEnd, open.isEmpty { return }
        let reader = try await self.log.makeReader(from: untilEnd ? starts.filter { open.contains($0.key) } : starts)
        let clock = SystemRuntimeClock()
        var order = TimeOrder()
        var progress = ReadingProgress(from: starts, at: clock.uptime)
        onReady()
        do {
            while !Task.isCancelled {
                let batch = try await reader.next(maxRecords: 2_000, timeout: .milliseconds(500))
                let records = batch.records.filter { !untilEnd || $0.offset < ends[$0.topicPartition] ?? 0 }
                for (partition, position) in batch.positions where position >= ends[partition] ?? 0 {
                    open.remove(partition)
                }
                try body(order.take(records, open: open))
                guard untilEnd else { continue }
                if open.isEmpty { break }
                try progress.show(batch.positions, before: ends.filter { open.contains($0.key) }, at: clock.uptime)
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
