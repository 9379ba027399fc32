/// All transactional ids, with their open transactions.
struct Transactions {
    private let store: LogStore
    private let configuration: EmbeddedBroker.Configuration
    private var byID: [Name: TransactionalProducer]
    /// The transactional id of each transactional producer.
    private var ids: [Int64: Name]
    /// Transactional ids that have changed in this round.
    private var touched: Set<Name> = []
    /// Transactions that have ended in this round.
    private var ended = Ended()

    /// How many transactions have ended.
    struct Ended: Hashable, Sendable {
        var commits = 0
        var aborts = 0

        mutating func count(_ marker: ControlMarker) {
            switch marker {
            case .commit: self.commits += 1
            case .abort: self.aborts += 1
            }
        }
    }

    /// Recovers the transactional ids from the store.
    init(_ store: LogStore, _ configuration: EmbeddedBroker.Configuration, at now: BrokerTime) throws {
        self.store = store
        self.configuration = configuration
        self.byID = try store.transactions(at: now)
        self.ids = Dictionary(
            self.byID.values.map { ($0.producerID, $0.transactionalID) },
            uniquingKeysWith: { first, _ in first }
        )
        let longest = Int32(clamping: configuration.maxTransactionTimeout.milliseconds)
        for id in Array(self.byID.keys) { self.byID[id]?.shorten(to: longest, at: now) }
    }

    var count: Int { self.byID.count }

    var values: Dictionary<Name, TransactionalProducer>.Values { self.byID.values }

    /// Bytes of the offsets that all open transactions hold.
    var offsetBytes: Int { self.byID.values.reduce(0) { $0 + ($1.open?.offsetBytes ?? 0) } }

    subscript(id: Name) -> TransactionalProducer? { self.byID[id] }

    /// The partitions of which open transactions hold offsets of a group.
    func partitions(heldFor group: Name) -> Set<TopicPartition> {
        var partitions: Set<TopicPartition> = []
        for producer in self.byID.values {
            if let held = producer.open?.offsets[group] { partitions.formUnion(held.keys) }
        }
        return partitions
    }

    /// The error unless the request comes from the current instance of a transactional id; nil if it does.
    func refusal(_ id: Name, _ producerID: Int64, _ epoch: Int16) -> ErrorCode? {
        guard let producer = self.byID[id] else { return .invalidProducerIDMapping }
        return producer.refusal(producerID: producerID, epoch: epoch)
    }

    /// The error if a batch of a transactional producer does not belong into the partition; nil if it does.
    func refusal(of header: RecordBatchHeader, to partition: TopicPartition) -> ErrorCode? {
        guard let id = self.ids[header.producerID], let producer = self.byID[id] else {
            return header.isTransactional ? .invalidProducerIDMapping : nil
        }
        if header.producerEpoch != producer.epoch { return .invalidProducerEpoch }
        guard header.isTransactional else { return nil }
        return producer.open?.partitions.contains(partition) == true ? nil : .invalidTransactionState
    }

    /// The error if the transaction may not be open or grow by this many partitions or groups; nil if it may.
    func refusal(toGrow id: Name, by count: Int, _ notices: inout Notices, at now: BrokerTime) -> ErrorCode? {
        let limits = self.configuration.limits
        if let open = self.byID[id]?.open {
            let size = max(open.partitions.count, open.offsets.count) + count
            let limit = limits.transactionPartitions
            return notices.allows(size - 1, of: "partitions of a transaction", limit: limit, at: now)
                ? nil : .policyViolation
        }
        guard count <= limits.transactionPartitions else { return .policyViolation }
        // At least this many transactions are open: the others wait, and clients try again.
        let open = self.byID.values.count { $0.open != nil }
        return notices.allows(open, of: "open transactions", limit: limits.openTransactions, at: now)
            ? nil : .concurrentTransactions
    }

    /// Begins a new instance of a transactional id; the fresh producer id is used if it needs one.
    ///
    /// - Returns: The producer, and the transaction that was open and must be aborted.
    mutating func begin(
        _ id: Name,
        timeoutMs: Int32,
        freshID: Int64,
        at now: BrokerTime
    ) -> (producer: TransactionalProducer, abandoned: OpenTransaction?) {
        var abandoned: OpenTransaction?
        let producer: TransactionalProducer
        if var known = self.byID[id] {
            abandoned = known.begin(timeoutMs: timeoutMs, freshID: { freshID }, at: now)
            producer = known
        } else {
            producer = TransactionalProducer(
                transactionalID: id,
                producerID: freshID,
                epoch: 0,
                timeoutMs: timeoutMs,
                lastUsed: now.wall
            )
        }
        self.replace(producer)
        return (producer, abandoned)
    }

    /// Fences the producer of a transactional id; returns the transaction that was open and must be aborted.
    mutating func fence(_ id: Name, freshID: Int64, at now: BrokerTime) -> OpenTransaction? {
        guard var producer = self.byID[id] else { return nil }
        let abandoned = producer.fence(freshID: { freshID }, at: now)
        self.replace(producer)
        return abandoned
    }

    /// Changes a producer in place, and sets the timer of the transaction if the change has opened one.
    mutating func open(
        _ id: Name,
        _ deadlines: inout DeadlineQueue,
        _ change: (inout TransactionalProducer) -> Bool
    ) {
        guard var producer = self.byID.removeValue(forKey: id) else { return }
        let isNew = change(&producer)
        self.byID[id] = producer
        self.touched.insert(id)
        if isNew, let open = producer.open { deadlines.add(.transaction(id), at: open.deadline) }
    }

    /// Holds offsets until the commit.
    mutating func hold(
        _ offsets: [TopicPartition: CommittedOffset],
        for group: Name,
        of id: Name,
        at now: BrokerTime
    ) {
        _ = self.byID[id]?.hold(offsets, for: group, at: now)
        self.touched.insert(id)
    }

    /// Ends a transaction at its producer's request; returns what must be written, or nil when the same request has
    /// been answered before.
    mutating func end(
        _ id: Name,
        with marker: ControlMarker,
        at now: BrokerTime
    ) throws(AppendRefusal) -> OpenTransaction? {
        let ended = try self.byID[id]?.end(with: marker, at: now)
        self.touched.insert(id)
        return ended
    }

    mutating func countEnded(_ marker: ControlMarker) { self.ended.count(marker) }

    /// Returns and clears the counts of transactions that have ended since the last call; nil if there are none.
    mutating func drainEnded() -> Ended? {
        guard self.ended != Ended() else { return nil }
        defer { self.ended = Ended() }
        return self.ended
    }

    /// Drops the partitions of a deleted topic from all open transactions.
    mutating func forget(topic: Name) {
        for id in Array(self.byID.keys) where self.byID[id]?.open != nil {
            self.byID[id]?.forget(topic: topic)
            self.touched.insert(id)
        }
    }

    /// Forgets the transactional ids that have been silent for long.
    mutating func expire(at now: BrokerTime) throws {
        let oldest = now.wall - self.configuration.transactionalIDExpiration.milliseconds
        for (id, producer) in self.byID where producer.open == nil && producer.lastUsed < oldest {
            self.byID[id] = nil
            self.ids[producer.producerID] = nil
            try self.store.dropTransactionalID(id)
        }
    }

    /// Sets the timers of all open transactions.
    func setTimers(_ deadlines: inout DeadlineQueue) {
        for (id, producer) in self.byID {
            if let open = producer.open { deadlines.add(.transaction(id), at: open.deadline) }
        }
    }

    /// Writes the transactional ids that have changed in this round.
    mutating func save() throws {
        for id in self.touched {
            if let producer = self.byID[id] { try self.store.save(producer) }
        }
        self.touched.removeAll(keepingCapacity: true)
    }

    private mutating func replace(_ producer: TransactionalProducer) {
        let id = producer.transactionalID
        let before = self.byID.updateValue(producer, forKey: id)?.producerID
        if let before, before != producer.producerID { self.ids[before] = nil }
        self.ids[producer.producerID] = id
        self.touched.insert(id)
    }
}
