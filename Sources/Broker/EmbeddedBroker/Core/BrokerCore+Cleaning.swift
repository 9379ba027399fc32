extension BrokerCore {
    /// The cleaning pauses this many milliseconds for each millisecond of work, so that it uses a tenth of the broker's
    /// time.
    private static let restFactor: Int64 = 9

    /// Drops old records, and producers and transactional ids that have not been used for long.
    ///
    /// Each call does one step, on a bounded piece of one partition, so that requests are handled in between.
    ///
    /// - Returns: Whether this run is complete.
    mutating func clean(at now: BrokerTime) throws -> Bool {
        if self.uncleaned.isEmpty {
            try self.expireTransactionalIDs(at: now)
            for (name, group) in self.groups where group.isDispensable {
                self.forgetGroup(name)
                try self.store.dropGroup(name)
            }
            try self.forgetOldestProducers()
            for topic in self.topics.values {
                for number in topic.partitions.indices {
                    self.uncleaned.append(TopicPartition(topic: topic.name, partition: Int32(number)))
                }
            }
        }
        if let place = self.uncleaned.last, try self.cleanStep(of: place, at: now) == false {
            self.uncleaned.removeLast()
        }
        return self.uncleaned.isEmpty
    }

    /// The pause in milliseconds after a cleaning step that took this many microseconds.
    static func pause(afterCleaningFor microseconds: Int64) -> Int64 {
        max(1, microseconds * self.restFactor / 1_000)
    }

    /// Cleans a piece of a partition; false when nothing is left to do there.
    private mutating func cleanStep(of place: TopicPartition, at now: BrokerTime) throws -> Bool {
        if self.compaction != nil {
            if try self.compactStep() { return true }
        } else {
            guard let settings = self.configuration(of: place) else { return false }
            if settings.isDeleting, try self.retain(place, settings, at: now) { return true }
            if settings.isCompacting, try self.beginCompaction(of: place, settings, at: now) { return true }
        }
        try self.expireProducers(of: place, at: now)
        return false
    }

    /// Forgets the producers that have been silent longest when more are remembered than the limit allows.
    ///
    /// It forgets a tenth more than necessary, so that it does not start again at once.
    mutating func forgetOldestProducers() throws {
        let limit = self.configuration.limits.producers
        let count = self.topics.values.reduce(0) { $1.partitions.reduce($0) { $0 + $1.producers.count } }
        self.producersAdded = 0
        guard count > limit else { return }
        let times = self.topics.values
            .flatMap { topic in
                topic.partitions.flatMap { $0.producers.values.filter { $0.openSince == nil }.map(\.lastUsed) }
            }
            .sorted()
        let oldest = times[safely: Int32(clamping: count - limit + limit / 10)].map { $0 + 1 } ?? .max
        for (name, topic) in self.topics {
            for (number, log) in topic.partitions.enumerated() {
                let forgotten = self.topics[name]?.partitions[number].expireProducers(before: oldest) ?? []
                for producer in forgotten { try self.store.dropProducer(producer, partition: log.id) }
            }
        }
    }

    private mutating func expireTransactionalIDs(at now: BrokerTime) throws {
        let oldest = now.wall - self.configuration.transactionalIDExpiration.milliseconds
        for (name, producer) in self.transactions where producer.open == nil && producer.lastUsed < oldest {
            self.transactions[name] = nil
            self.transactionalIDs[producer.producerID] = nil
            try self.store.dropTransactionalID(name)
        }
    }

    /// Retention by time (`retention.ms`), never above the last stable offset; true when there is more to drop.
    private mutating func retain(
        _ place: TopicPartition,
        _ settings: TopicConfiguration,
        at now: BrokerTime
    ) throws -> Bool {
        guard let retention = settings.retentionMs,
            let log = self.topics[place.topic]?.partitions[safely: place.partition],
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
        try self.moveStart(of: place, to: step)
        return step < end
    }

    private mutating func expireProducers(of place: TopicPartition, at now: BrokerTime) throws {
        let oldest = now.wall - self.configuration.producerIDExpiration.milliseconds
        let expired = self.withLog(place) { log in (log.id, log.expireProducers(before: oldest)) }
        guard let (id, producers) = expired else { return }
        for producer in producers { try self.store.dropProducer(producer, partition: id) }
    }
}
