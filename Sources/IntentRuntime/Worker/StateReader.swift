internal import IntentEvents

/// Reads partitions of the topic `state` to where they end now.
package enum StateReader {
    /// An entry of the topic.
    package typealias Entry = (partition: Int, key: StateKey, value: [UInt8]?)

    /// Calls the closure with entries in log order: a later one of the same key replaces an earlier one.
    ///
    /// - Throws: ``LogError`` of the log.
    package static func read(
        _ partitions: [TopicPartition],
        of log: any EventLog,
        _ body: ([Entry]) async throws(LogError) -> Void
    ) async throws(LogError) {
        let ends = try await log.offsets(partitions, at: .end)
        let starts = try await log.offsets(partitions, at: .earliest)
        var open = ends.filter { starts[$0.key] ?? 0 < $0.value }
        guard !open.isEmpty else { return }
        let reader = try await log.makeReader(from: starts.filter { open[$0.key] != nil })
        do throws(LogError) {
            while !open.isEmpty {
                let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
                var entries: [Entry] = []
                for record in batch.records {
                    guard let end = ends[record.topicPartition], record.offset < end, let key = record.key,
                        let stateKey = StateKey(key)
                    else { continue }
                    entries.append((record.topicPartition.partition, stateKey, record.value))
                }
                try await body(entries)
                for (partition, position) in batch.positions where position >= open[partition] ?? .max {
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
