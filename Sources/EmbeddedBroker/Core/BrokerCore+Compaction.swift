extension BrokerCore {
    /// Begins to compact a partition below its last stable offset, if enough has been written since the last time.
    ///
    /// Batches are read twice: once for the latest offset of each key, once to drop or to write anew.
    ///
    /// - Returns: whether there is anything to do.
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

    /// Looks at the next piece of the log that is being compacted; false when that has ended.
    mutating func compactStep() throws -> Bool {
        // Taken out while it changes, or else the plan would be copied.
        guard var compaction = self.compaction.take() else { return false }
        let place = compaction.place
        // What has happened in between may have ended it.
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
            for batch in batches { compaction.plan.note(batch) }
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

    /// Does what the plan says with a piece of the log; whoever reads it then finds every transaction whole or not at all.
    private mutating func compact(_ batches: [RecordBatch], by compaction: Compaction) throws {
        let store = self.store
        try self.withLog(compaction.place) { log in
            var hasChanged = false
            for batch in batches {
                switch compaction.plan.verdict(on: batch) {
                case .keep: continue
                // Without the last batch, a client that reads to the log's end would never come to it.
                case .drop where batch.header.lastOffset + 1 == log.endOffset: continue
                case .drop: try store.dropBatch(partition: log.id, baseOffset: batch.header.baseOffset)
                case .rewrite(let records): try store.save(batch.keeping(records), partition: log.id)
                }
                hasChanged = true
            }
            // With its marker an aborted transaction is forgotten: consumers would wait for the marker. Its records are
            // gone by then, and go from memory too.
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
