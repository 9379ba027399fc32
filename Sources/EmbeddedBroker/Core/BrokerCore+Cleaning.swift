extension BrokerCore {
    /// Drops old records, and producers and transactional ids that nobody has used for long.
    ///
    /// One partition at a time, so that requests come in between.
    ///
    /// - Returns: how many milliseconds to wait before the next one.
    mutating func clean(at now: BrokerTime) throws -> Int64 {
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
        if let place = self.uncleaned.popLast(), let topic = self.topics[place.topic],
            topic.partitions[safely: place.partition] != nil
        {
            if topic.configuration.isDeleting { try self.retain(place, topic.configuration, at: now) }
            if topic.configuration.isCompacting { try self.compact(place, topic.configuration, at: now) }
            try self.expireProducers(of: place, at: now)
        }
        return self.uncleaned.isEmpty ? self.configuration.cleaningInterval.milliseconds : 1
    }

    /// Forgets the producers that have been silent longest while more are remembered than may be; a tenth more, so that it
    /// does not begin anew at once.
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

    /// Retention by time (`retention.ms`): never above the last stable offset.
    private mutating func retain(_ place: TopicPartition, _ settings: TopicConfiguration, at now: BrokerTime) throws {
        guard let retention = settings.retentionMs,
            let log = self.topics[place.topic]?.partitions[safely: place.partition],
            log.startOffset < log.endOffset
        else { return }
        let keep = try self.store.firstBatch(partition: log.id, since: now.wall - retention) ?? log.endOffset
        try self.moveStart(of: place, to: min(keep, log.lastStableOffset))
    }

    private mutating func expireProducers(of place: TopicPartition, at now: BrokerTime) throws {
        let oldest = now.wall - self.configuration.producerIDExpiration.milliseconds
        let index = Int(place.partition)
        guard let id = self.topics[place.topic]?.partitions[index].id,
            let expired = self.topics[place.topic]?.partitions[index].expireProducers(before: oldest)
        else { return }
        for producer in expired { try self.store.dropProducer(producer, partition: id) }
    }
}
