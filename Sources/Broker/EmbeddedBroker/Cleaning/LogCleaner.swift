/// Drops the old records of all partitions, and the producers that have not been used for long, one step at a time.
struct LogCleaner {
    private let store: LogStore
    private let configuration: EmbeddedBroker.Configuration
    /// Partitions that this run has not reached yet.
    private(set) var uncleaned: [TopicPartition] = []
    /// The compaction that is in progress.
    private var compaction: Compaction?
    /// The offset up to which each partition has been compacted, by row; forgotten at a restart.
    private var compactedUpTo: [Int64: Int64] = [:]

    /// The cleaning pauses this many milliseconds for each millisecond of work, so that it uses a tenth of the broker's
    /// time.
    private static let restFactor: Int64 = 9

    init(_ store: LogStore, _ configuration: EmbeddedBroker.Configuration) {
        self.store = store
        self.configuration = configuration
    }

    /// The pause in milliseconds after a cleaning step that took this many microseconds.
    static func pause(afterCleaningFor microseconds: Int64) -> Int64 {
        max(1, microseconds * self.restFactor / 1_000)
    }

    /// Begins a run over all partitions.
    mutating func begin(_ topics: Topics) {
        for topic in topics.values {
            for number in topic.partitions.indices {
                self.uncleaned.append(TopicPartition(topic: topic.name, partition: Int32(number)))
            }
        }
    }

    /// Cleans a bounded piece of one partition.
    ///
    /// - Returns: Whether this run is complete.
    mutating func step(in topics: inout Topics, at now: BrokerTime) throws -> Bool {
        if let partition = self.uncleaned.last, try self.clean(partition, in: &topics, at: now) == false {
            self.uncleaned.removeLast()
        }
        return self.uncleaned.isEmpty
    }

    /// Forgets what is known about the logs of a deleted topic.
    mutating func forget(_ topic: Topic) {
        for log in topic.partitions { self.compactedUpTo[log.id] = nil }
    }

    /// Cleans a piece of a partition; false when nothing is left to do there.
    private mutating func clean(
        _ partition: TopicPartition,
        in topics: inout Topics,
        at now: BrokerTime
    ) throws -> Bool {
        if self.compaction != nil {
            if try self.compactStep(in: &topics) { return true }
        } else {
            guard let settings = topics.configuration(of: partition) else { return false }
            if settings.isDeleting, try self.retain(partition, settings, in: &topics, at: now) { return true }
            if settings.isCompacting, try self.beginCompaction(of: partition, settings, in: topics, at: now) {
                return true
            }
        }
        let oldest = now.wall - self.configuration.producerIDExpiration.milliseconds
        try topics.expireProducers(of: partition, before: oldest)
        return false
    }

    /// Retention by time (`retention.ms`), never above the last stable offset; true when there is more to drop.
    private func retain(
        _ partition: TopicPartition,
        _ settings: TopicConfiguration,
        in topics: inout Topics,
        at now: BrokerTime
    ) throws -> Bool {
        guard let retention = settings.retentionMs,
            let log = topics[partition],
            log.startOffset < log.endOffset
        else { return false }
        let keep = try self.store.firstBatch(partition: log.id, since: now.wall - retention) ?? log.endOffset
        let end = min(keep, log.lastStableOffset)
        guard end > log.startOffset else { return false }
        let step = try self.store.end(
            ofBytes: self.configuration.cleaningStepBytes,
            partition: log.id,
            upTo: end
        )
        try topics.moveStart(of: partition, to: step)
        return step < end
    }

    /// Begins to compact a partition below its last stable offset, if enough has been written since the last
    /// compaction.
    ///
    /// Batches are read twice: once to find the latest offset of each key, and once to drop or rewrite them.
    ///
    /// - Returns: Whether there is anything to do.
    private mutating func beginCompaction(
        of partition: TopicPartition,
        _ settings: TopicConfiguration,
        in topics: Topics,
        at now: BrokerTime
    ) throws -> Bool {
        guard let topic = topics[partition.topic], let log = topic.partitions[safely: partition.partition] else {
            return false
        }
        var end = log.lastStableOffset
        if settings.minCompactionLagMs > 0 {
            let young = try self.store.firstBatch(partition: log.id, since: now.wall - settings.minCompactionLagMs)
            end = min(end, young ?? end)
        }
        let done = self.compactedUpTo[log.id] ?? log.startOffset
        // A log of n live keys is rewritten when it has grown by half, so that the work stays in proportion.
        guard end - done >= max(self.configuration.minCompactionRecords, (done - log.startOffset) / 2) else {
            return false
        }
        let plan = CompactionPlan(
            end: end,
            aborted: log.aborted,
            tombstonesBefore: now.wall - settings.deleteRetentionMs
        )
        self.compaction = Compaction(partition: partition, topicID: topic.topicID, end: end, plan: plan)
        return true
    }

    /// Processes the next piece of the log that is being compacted; false when the compaction has ended.
    private mutating func compactStep(in topics: inout Topics) throws -> Bool {
        // Removed from the property while it changes; otherwise the plan would be copied.
        guard var compaction = self.compaction.take() else { return false }
        let partition = compaction.partition
        // A request in between may have ended it.
        guard let topic = topics[partition.topic], topic.topicID == compaction.topicID,
            topic.configuration.isCompacting, let log = topic.partitions[safely: partition.partition]
        else { return false }
        let from = max(compaction.offset, log.startOffset)
        let batches =
            from < compaction.end
            ? try self.store.batches(
                partition: log.id,
                from: from,
                upTo: compaction.end,
                maxBytes: self.configuration.cleaningStepBytes
            ) : []
        compaction.offset = batches.last.map { $0.header.lastOffset + 1 } ?? compaction.end
        switch compaction.phase {
        case .noting:
            for batch in batches { compaction.plan.record(batch) }
            if compaction.offset >= compaction.end {
                compaction.phase = .writing
                compaction.offset = 0
            }
        case .writing:
            try self.compact(batches, by: compaction, in: &topics)
            if compaction.offset >= compaction.end {
                self.compactedUpTo[log.id] = compaction.end
                return false
            }
        }
        self.compaction = compaction
        return true
    }

    /// Applies the plan to a piece of the log; a reader then finds each transaction complete or not at all.
    private func compact(_ batches: [RecordBatch], by compaction: Compaction, in topics: inout Topics) throws {
        let store = self.store
        try topics.withLog(compaction.partition) { log in
            var hasChanged = false
            for batch in batches {
                switch compaction.plan.verdict(on: batch) {
                case .keep: continue
                // Without the last batch, a client that reads to the log's end would never reach it.
                case .drop where batch.header.lastOffset + 1 == log.endOffset: continue
                case .drop: try store.dropBatch(partition: log.id, baseOffset: batch.header.baseOffset)
                case .rewrite(let records): try store.save(batch.keeping(records), partition: log.id)
                }
                hasChanged = true
            }
            // An aborted transaction is forgotten together with its marker, because consumers would wait for the
            // marker. Its records are gone by then, so they are removed from memory too.
            let settled = log.aborted.filter { $0.lastOffset < compaction.offset && compaction.plan.covers($0) }
            for transaction in settled {
                log.forget(transaction)
                try store.drop(transaction, partition: log.id)
            }
            guard hasChanged || !settled.isEmpty else { return }
            log.cache.drop(below: compaction.offset)
            try store.saveOffsets(of: log)
        }
    }
}
