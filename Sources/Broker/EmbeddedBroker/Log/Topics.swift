/// All topics, with the logs of their partitions.
struct Topics {
    let store: LogStore
    let configuration: EmbeddedBroker.Configuration
    private var byName: [Name: Topic]
    /// The number of partitions of all topics.
    private(set) var partitionCount: Int
    /// Partitions whose logs have grown, whose transactions have ended or that were deleted in this round.
    private(set) var touched: Set<TopicPartition> = []
    /// The number of producers that were added since all were last counted.
    private var producersAdded = 0

    /// Recovers the topics from the store.
    init(_ store: LogStore, _ configuration: EmbeddedBroker.Configuration) throws {
        self.store = store
        self.configuration = configuration
        self.byName = Dictionary(uniqueKeysWithValues: try store.topics().map { ($0.name, $0) })
        self.partitionCount = self.byName.values.reduce(0) { $0 + $1.partitions.count }
    }

    var count: Int { self.byName.count }

    var values: Dictionary<Name, Topic>.Values { self.byName.values }

    subscript(name: Name) -> Topic? { self.byName[name] }

    subscript(partition: TopicPartition) -> PartitionLog? {
        self.byName[partition.topic]?.partitions[safely: partition.partition]
    }

    /// The settings of a partition's topic; nil when the partition does not exist.
    func configuration(of partition: TopicPartition) -> TopicConfiguration? {
        guard let found = self.byName.index(forKey: partition.topic),
            self.byName.values[found].partitions.indices.contains(Int(partition.partition))
        else { return nil }
        return self.byName.values[found].configuration
    }

    /// Changes a partition's log in place; nil when there is none.
    ///
    /// Code that copies a log out of its topic and changes the copy duplicates what the log remembers, including the
    /// newest batches.
    @discardableResult
    mutating func withLog<Result>(
        _ partition: TopicPartition,
        _ body: (inout PartitionLog) throws -> Result
    ) rethrows -> Result? {
        let index = Int(partition.partition)
        guard let found = self.byName.index(forKey: partition.topic),
            self.byName.values[found].partitions.indices.contains(index)
        else { return nil }
        return try body(&self.byName.values[found].partitions[index])
    }

    mutating func create(_ name: Name, partitions: Int, _ configuration: TopicConfiguration) throws {
        let topicID = TopicID.random()
        let row = try self.store.addTopic(name: name, topicID: topicID)
        var topic = Topic(id: row, name: name, topicID: topicID, configuration: configuration, partitions: [])
        for number in 0..<partitions {
            topic.partitions.append(PartitionLog(id: try self.store.addPartition(topic: row, number: number)))
        }
        self.partitionCount += partitions
        try self.store.saveConfiguration(of: topic)
        self.byName[name] = topic
    }

    /// Adds partitions until the topic has this many.
    mutating func grow(_ topic: Topic, to count: Int) throws {
        for number in topic.partitions.count..<count {
            let row = try self.store.addPartition(topic: topic.id, number: number)
            self.byName[topic.name]?.partitions.append(PartitionLog(id: row))
        }
        self.partitionCount += count - topic.partitions.count
    }

    mutating func set(_ configuration: TopicConfiguration, of topic: Topic) throws {
        self.byName[topic.name]?.configuration = configuration
        var changed = topic
        changed.configuration = configuration
        try self.store.saveConfiguration(of: changed)
    }

    mutating func delete(_ topic: Topic) throws {
        try self.store.drop(topic)
        self.byName[topic.name] = nil
        self.partitionCount -= topic.partitions.count
        for number in topic.partitions.indices {
            self.touched.insert(TopicPartition(topic: topic.name, partition: Int32(number)))
        }
    }

    /// Appends a batch, unless the partition has it already.
    ///
    /// - Throws: ``AppendRefusal`` when its producer may not.
    mutating func append(
        _ batch: RecordBatch,
        to partition: TopicPartition,
        at now: BrokerTime
    ) throws -> ProduceResponse.Topic.Partition {
        let store = self.store
        let cacheBytes = self.configuration.cacheBytesPerPartition
        var isNew = false
        var producers = 0
        let result = try self.withLog(partition) { log in
            producers = log.producers.count
            defer { producers = log.producers.count - producers }
            switch try log.append(batch, at: now) {
            case .duplicate(let earlier):
                return ProduceResponse.Topic.Partition(
                    baseOffset: earlier.baseOffset,
                    logStartOffset: log.startOffset
                )
            case .new(let placed):
                try store.append(placed, partition: log.id)
                log.cache.append(placed, limit: cacheBytes)
                isNew = true
                return .init(baseOffset: placed.header.baseOffset, logStartOffset: log.startOffset)
            }
        }
        guard let result else { return .init(errorCode: .unknownTopicOrPartition, baseOffset: -1) }
        if isNew { self.touched.insert(partition) }
        self.producersAdded += producers
        if self.producersAdded > self.configuration.limits.producers / 10 { try self.forgetOldestProducers() }
        return result
    }

    /// Writes the marker of an ended transaction into its partitions.
    mutating func end(_ transaction: OpenTransaction, with marker: ControlMarker, at now: BrokerTime) throws {
        let store = self.store
        let cacheBytes = self.configuration.cacheBytesPerPartition
        for partition in transaction.partitions {
            let ended: Void? = try self.withLog(partition) { log in
                let ended = log.end(
                    producerID: transaction.writer.producerID,
                    producerEpoch: transaction.writer.epoch,
                    with: marker,
                    at: now
                )
                try store.append(ended.marker, partition: log.id)
                log.cache.append(ended.marker, limit: cacheBytes)
                if let aborted = ended.aborted { try store.save(aborted, partition: log.id) }
            }
            if ended != nil { self.touched.insert(partition) }
        }
    }

    /// Drops everything below the offset, on disk too.
    mutating func moveStart(of partition: TopicPartition, to offset: Int64) throws {
        let store = self.store
        try self.withLog(partition) { log in
            guard log.moveStart(to: offset) else { return }
            try store.dropBatches(partition: log.id, below: offset)
            try store.saveOffsets(of: log)
        }
    }

    /// Forgets the producers of a partition that have been silent since before the time.
    mutating func expireProducers(of partition: TopicPartition, before oldest: Int64) throws {
        let expired = self.withLog(partition) { log in (log.id, log.expireProducers(before: oldest)) }
        guard let (id, producers) = expired else { return }
        for producer in producers { try self.store.dropProducer(producer, partition: id) }
    }

    /// Forgets the producers that have been silent longest when more are remembered than the limit allows.
    ///
    /// It forgets a tenth more than necessary, so that it does not start again at once.
    mutating func forgetOldestProducers() throws {
        let limit = self.configuration.limits.producers
        let count = self.byName.values.reduce(0) { $1.partitions.reduce($0) { $0 + $1.producers.count } }
        self.producersAdded = 0
        guard count > limit else { return }
        let times = self.byName.values
            .flatMap { topic in
                topic.partitions.flatMap { $0.producers.values.filter { $0.openSince == nil }.map(\.lastUsed) }
            }
            .sorted()
        let oldest = times[safely: Int32(clamping: count - limit + limit / 10)].map { $0 + 1 } ?? .max
        for (name, topic) in self.byName {
            for number in topic.partitions.indices {
                let partition = TopicPartition(topic: name, partition: Int32(number))
                try self.expireProducers(of: partition, before: oldest)
            }
        }
    }

    /// Writes the states of producers that have changed in this round.
    mutating func saveProducers() throws {
        let store = self.store
        for partition in self.touched {
            try self.withLog(partition) { log in
                for producer in log.drainDirtyProducers() {
                    guard let state = log.producers[producer] else { continue }
                    try store.save(state, producer: producer, partition: log.id)
                }
            }
        }
        self.touched.removeAll(keepingCapacity: true)
    }
}

/// One partition by name.
struct TopicPartition: Sendable, Hashable {
    var topic: Name
    /// The partition's number, from 0.
    var partition: Int32
}
