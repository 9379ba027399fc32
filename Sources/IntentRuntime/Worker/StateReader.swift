package import IntentEvents

/// Reads partitions of the topic `state`.
package enum StateReader {
    /// An entry of the topic.
    package typealias Entry = (partition: Int, key: StateKey, value: [UInt8]?)

    /// Calls the closure with entries in log order: a later one of the same key replaces an earlier one.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - log: Where they are.
    ///   - stage: Whose entries are wanted; nil for all of them.
    ///   - formats: Which formats are read; nil for a reader that looks only at what is the same in all of them.
    ///   - clock: By which reading that stands is noticed.
    ///   - body: Takes entries, and says whether to read on.
    /// - Returns: Whether they were read to where they end now.
    /// - Throws: ``LogError`` of the log; `unreadableFormat` for an entry of another format; `noProgress` when nothing comes
    ///   for a minute.
    @discardableResult
    package static func read(
        _ partitions: [TopicPartition],
        of log: any EventLog,
        stage: Stage? = nil,
        formats: RecordFormats? = nil,
        clock: any RuntimeClock = SystemRuntimeClock(),
        _ body: ([Entry]) async throws(LogError) -> Bool
    ) async throws(LogError) -> Bool {
        let ends = try await log.offsets(partitions, at: .end)
        let starts = try await log.offsets(partitions, at: .earliest)
        return try await Self.read(
            from: starts,
            to: ends,
            of: log,
            stage: stage,
            formats: formats,
            clock: clock,
            body
        )
    }

    /// Calls the closure with entries between offsets, in log order.
    ///
    /// - Parameters:
    ///   - starts: The partitions, and where to begin.
    ///   - ends: Where each ends: the offset after the last record.
    ///   - log: Where they are.
    ///   - stage: Whose entries are wanted; nil for all of them.
    ///   - formats: Which formats are read; nil for a reader that looks only at what is the same in all of them.
    ///   - clock: By which reading that stands is noticed.
    ///   - body: Takes entries, and says whether to read on.
    /// - Returns: Whether they were read to these ends.
    /// - Throws: ``LogError`` of the log; `unreadableFormat` for an entry of another format; `noProgress` when nothing comes
    ///   for a minute.
    static func read(
        from starts: [TopicPartition: Int64],
        to ends: [TopicPartition: Int64],
        of log: any EventLog,
        stage: Stage?,
        formats: RecordFormats?,
        clock: any RuntimeClock,
        _ body: ([Entry]) async throws(LogError) -> Bool
    ) async throws(LogError) -> Bool {
        var open = ends.filter { starts[$0.key] ?? 0 < $0.value }
        guard !open.isEmpty else { return true }
        let reader = try await log.makeReader(from: starts.filter { open[$0.key] != nil })
        var progress = ReadingProgress(from: starts, at: clock.uptime)
        do throws(LogError) {
            var readsOn = true
            while readsOn, !open.isEmpty {
                let batch = try await reader.next(maxRecords: 10_000, timeout: .seconds(1))
                var entries: [Entry] = []
                for record in batch.records {
                    guard let end = ends[record.topicPartition], record.offset < end, let key = record.key,
                        stage.map({ StateKey.belongs(key, to: $0) }) ?? true, let stateKey = StateKey(key)
                    else { continue }
                    try formats?.check(record, on: .state)
                    entries.append((record.topicPartition.partition, stateKey, record.value))
                }
                readsOn = try await body(entries)
                for (partition, position) in batch.positions where position >= open[partition] ?? .max {
                    open[partition] = nil
                }
                try progress.show(batch.positions, before: open, at: clock.uptime)
            }
            await reader.close()
            return readsOn
        } catch {
            await reader.close()
            throw error
        }
    }
}
