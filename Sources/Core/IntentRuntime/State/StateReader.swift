package import IntentEvents

/// Reads partitions of the topic `state`.
package enum StateReader {
    /// An entry of the topic.
    ///
    /// A partition's chain head says up to which offsets the state includes what its stage reads.
    package typealias Entry = (partition: Int, key: StateKey, value: [UInt8]?, read: ReadOffsets?)

    /// Calls the closure with entries in log order: a later one of the same key replaces an earlier one.
    ///
    /// - Parameters:
    ///   - partitions: The partitions.
    ///   - log: The log.
    ///   - stage: The stage whose entries are wanted; nil for all of them.
    ///   - formats: The supported formats; nil for a reader that uses only what is the same in all of them.
    ///   - clock: The clock that detects a lack of progress.
    ///   - body: Receives entries, and says whether to read on.
    /// - Returns: Whether they were read to their current ends.
    /// - Throws: ``LogError`` of the log; `unreadableFormat` for an entry of another format; `noProgress` when nothing
    ///   comes for a minute.
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
    ///   - starts: The partitions, and the start offsets.
    ///   - ends: The end of each: the offset after the last record.
    ///   - log: The log.
    ///   - stage: The stage whose entries are wanted; nil for all of them.
    ///   - formats: The supported formats; nil for a reader that uses only what is the same in all of them.
    ///   - clock: The clock that detects a lack of progress.
    ///   - body: Receives entries, and says whether to read on.
    /// - Returns: Whether they were read to these ends.
    /// - Throws: ``LogError`` of the log; `unreadableFormat` for an entry of another format; `noProgress` when nothing
    ///   comes for a minute.
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
        // Most of the topic belongs to other stages.
        let prefix = stage.map { Array("\($0.rawValue)/".utf8) } ?? []
        do throws(LogError) {
            var readsOn = true
            var batch = try await Self.next(of: reader, prefix).get()
            while readsOn, !open.isEmpty {
                for (partition, position) in batch.positions where position >= open[partition] ?? .max {
                    open[partition] = nil
                }
                try progress.show(batch.positions, before: open, at: clock.uptime)
                let entries = try Self.entries(of: batch.records, before: ends, stage: stage, formats: formats)
                guard !open.isEmpty else {
                    readsOn = try await body(entries)
                    break
                }
                // The next records are read while these are processed.
                async let next = Self.next(of: reader, prefix)
                readsOn = try await body(entries)
                batch = try await next.get()
            }
            await reader.close()
            return readsOn
        } catch {
            await reader.close()
            throw error
        }
    }

    private static let batchSize = 10_000

    private static func next(of reader: any LogReader, _ prefix: [UInt8]) async -> Result<ReaderBatch, LogError> {
        await Result(awaiting: { () async throws(LogError) in
            try await reader.next(maxRecords: Self.batchSize, timeout: .seconds(1), keysBeginning: prefix)
        })
    }

    private static func entries(
        of records: [LogRecord],
        before ends: [TopicPartition: Int64],
        stage: Stage?,
        formats: RecordFormats?
    ) throws(LogError) -> [Entry] {
        var entries: [Entry] = []
        // The records of a partition are adjacent.
        var (partition, end): (TopicPartition?, Int64) = (nil, 0)
        for record in records {
            if record.topicPartition != partition {
                partition = record.topicPartition
                end = ends[record.topicPartition] ?? 0
            }
            guard record.offset < end else { continue }
            let entry = record.content.withParts { parts -> Entry? in
                guard let bytes = parts.key, let key = StateKey(bytes, of: stage) else { return nil }
                return (record.topicPartition.partition, key, parts.value.map(Array.init), nil)
            }
            guard var entry else { continue }
            if entry.key.isChain { entry.read = record.header(ReadOffsets.header).flatMap(ReadOffsets.init(text:)) }
            if let formats, formats.concerns(record.content) { try formats.check(record, on: .state) }
            entries.append(entry)
        }
        return entries
    }
}
