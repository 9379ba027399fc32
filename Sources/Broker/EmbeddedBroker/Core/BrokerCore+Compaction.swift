extension BrokerCore {
    /// Begins to compact a partition below its last stable offset, if enough has been written since the last
    /// compaction.
    ///
    /// Batches are read twice: once to find the latest offset of each key, and once to drop or rewrite them.
    ///
    /// - Returns: Whether there is anything to do.
    mutating func beginCompaction(
        of place: TopicPartition,
        _ settings: TopicConfiguration,
        at now: BrokerTime
    ) throws -> Bool {
        guard let topic = self.topics[place.topic], let log = topic.partitions[safely: place.partition] else {
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
        self.compaction = Compaction(place: place, topicID: topic.topicID, end: end, plan: plan)
        return true
    }

    /// Processes the next piece of the log that is being compacted; false when the compaction has ended.
    mutating func compactStep() throws -> Bool {
        // Removed from the property while it changes; otherwise the plan would be copied.
        guard var compaction = self.compaction.take() else { return false }
        let place = compaction.place
        // A request in between may have ended it.
        guard let topic = self.topics[place.topic], topic.topicID == compaction.topicID,
            topic.configuration.isCompacting, let log = topic.partitions[safely: place.partition]
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
            try self.compact(batches, by: compaction)
            if compaction.offset >= compaction.end {
                self.compactedUpTo[log.id] = compaction.end
                return false
            }
        }
        self.compaction = compaction
        return true
    }

    /// Applies the plan to a piece of the log; a reader then finds each transaction complete or not at all.
    private mutating func compact(_ batches: [RecordBatch], by compaction: Compaction) throws {
        let store = self.store
        try self.withLog(compaction.place) { log in
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
