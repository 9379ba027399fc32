extension BrokerCore {
    /// How many bytes of a log are looked at between two reads.
    private static let compactionStep = 4 << 20

    /// Compacts a partition below its last stable offset, if enough has been written since the last time.
    ///
    /// Batches are read twice: once for the latest offset of each key, once to drop or to write anew.
    mutating func compact(_ place: TopicPartition, _ settings: TopicConfiguration, at now: BrokerTime) throws {
        guard let log = self.topics[place.topic]?.partitions[safely: place.partition] else { return }
        var end = log.lastStableOffset
        if settings.minCompactionLagMs > 0 {
            let young = try self.store.firstBatch(partition: log.id, since: now.wall - settings.minCompactionLagMs)
            end = min(end, young ?? end)
        }
        let done = self.compactedUpTo[log.id] ?? log.startOffset
        // A log of n live keys is rewritten when it has grown by half, so that the work stays in proportion.
        guard end - done >= max(self.configuration.minCompactionRecords, (done - log.startOffset) / 2) else { return }
        var plan = CompactionPlan(
            end: end,
            aborted: log.aborted,
            tombstonesBefore: now.wall - settings.deleteRetentionMs
        )
        try self.forEachBatch(of: log, upTo: end) { plan.note($0) }
        var hasChanged = false
        try self.forEachBatch(of: log, upTo: end) { batch in
            switch plan.verdict(on: batch) {
            case .keep: return
            // Without the last batch, a client that reads to the log's end would never come to it.
            case .drop where batch.header.lastOffset + 1 == log.endOffset: return
            case .drop: try self.store.dropBatch(partition: log.id, baseOffset: batch.header.baseOffset)
            case .rewrite(let records): try self.store.save(batch.keeping(records), partition: log.id)
            }
            hasChanged = true
        }
        self.compactedUpTo[log.id] = end
        guard hasChanged else { return }
        let index = Int(place.partition)
        for transaction in plan.settled {
            self.topics[place.topic]?.partitions[index].forget(transaction)
            try self.store.drop(transaction, partition: log.id)
        }
        self.topics[place.topic]?.partitions[index].cache = BatchCache(endOffset: log.endOffset)
        try self.store.saveOffsets(of: log)
    }

    private func forEachBatch(
        of log: PartitionLog,
        upTo end: Int64,
        _ body: (RecordBatch) throws -> Void
    ) throws {
        var offset = log.startOffset
        while offset < end {
            let batches = try self.store.batches(
                partition: log.id,
                from: offset,
                upTo: end,
                maxBytes: Self.compactionStep
            )
            guard let last = batches.last else { return }
            for batch in batches { try body(batch) }
            offset = last.header.lastOffset + 1
        }
    }
}
