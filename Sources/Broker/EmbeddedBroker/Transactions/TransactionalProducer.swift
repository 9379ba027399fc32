/// One transactional id: its producer, its epoch and its open transaction (KIP-98, KIP-360, KIP-447).
///
/// A value without I/O. The broker ends a transaction in all partitions in one SQLite transaction, so there is no state
/// between open and ended, and the answer is never CONCURRENT_TRANSACTIONS.
struct TransactionalProducer: Sendable, Equatable {
    /// The last epoch that is used before a new producer id begins.
    static let lastEpoch = Int16.max - 1

    /// The transactional id, a stable name.
    let transactionalID: Name
    /// The producer id in the batches.
    private(set) var producerID: Int64
    /// Increases with every new instance; older instances are fenced.
    private(set) var epoch: Int16
    /// The longest that a transaction may take, in milliseconds.
    private(set) var timeoutMs: Int32
    private(set) var phase: Phase
    /// The wall-clock time of the last request.
    private(set) var lastUsed: Int64

    /// Whether a transaction is open.
    enum Phase: Sendable, Equatable {
        /// No transaction, with the marker that ended the last one, so that a repeated EndTxn is recognised.
        ///
        /// Leads to `open`.
        case idle(last: ControlMarker?)
        /// A transaction is open.
        ///
        /// Leads to `idle` by EndTxn, by a new instance or when its time is up.
        case open(OpenTransaction)
    }

    /// Restores or creates a producer.
    init(
        transactionalID: Name,
        producerID: Int64,
        epoch: Int16,
        timeoutMs: Int32,
        phase: Phase = .idle(last: nil),
        lastUsed: Int64
    ) {
        self.transactionalID = transactionalID
        self.producerID = producerID
        self.epoch = epoch
        self.timeoutMs = timeoutMs
        self.phase = phase
        self.lastUsed = lastUsed
    }

    /// Applies a shorter limit than the producer was created with; an open transaction gets that time from now.
    mutating func shorten(to limit: Int32, at now: BrokerTime) {
        guard self.timeoutMs > limit else { return }
        self.timeoutMs = limit
        guard case .open(var transaction) = self.phase else { return }
        transaction.deadline = min(transaction.deadline, now.monotonic + Int64(limit))
        self.phase = .open(transaction)
    }

    var open: OpenTransaction? {
        switch self.phase {
        case .idle: nil
        case .open(let transaction): transaction
        }
    }

    /// The error unless the request comes from the current instance; nil if it does.
    func refusal(producerID: Int64, epoch: Int16) -> ErrorCode? {
        if producerID != self.producerID { return .invalidProducerIDMapping }
        return epoch == self.epoch ? nil : .producerFenced
    }

    /// Begins a new instance; older ones are fenced from now on.
    ///
    /// Returns the transaction that was open, which must be aborted in all partitions with the new epoch.
    mutating func begin(timeoutMs: Int32, freshID: () -> Int64, at now: BrokerTime) -> OpenTransaction? {
        let abandoned = self.fence(freshID: freshID, at: now)
        self.timeoutMs = timeoutMs
        self.phase = .idle(last: nil)
        return abandoned
    }

    /// Raises the epoch and returns the transaction that was open, to be aborted in all partitions.
    mutating func fence(freshID: () -> Int64, at now: BrokerTime) -> OpenTransaction? {
        var abandoned = self.open
        if self.epoch >= Self.lastEpoch {
            abandoned?.writer = OpenTransaction.Writer(producerID: self.producerID, epoch: self.epoch + 1)
            self.producerID = freshID()
            self.epoch = 0
        } else {
            self.epoch += 1
            abandoned?.writer = OpenTransaction.Writer(producerID: self.producerID, epoch: self.epoch)
        }
        self.phase = .idle(last: .abort)
        self.lastUsed = now.wall
        return abandoned
    }

    /// Adds partitions to the transaction, opening one if none is; returns whether one was opened.
    mutating func add(partitions: [TopicPartition], at now: BrokerTime) -> Bool {
        self.update(at: now) { $0.partitions.formUnion(partitions) }
    }

    /// Adds a group whose offsets will be committed; returns whether a transaction was opened.
    mutating func add(group: Name, at now: BrokerTime) -> Bool {
        self.update(at: now) { transaction in
            if transaction.offsets[group] == nil { transaction.offsets[group] = [:] }
        }
    }

    /// Holds offsets until the commit; false when no transaction with that group is open.
    mutating func hold(_ offsets: [TopicPartition: CommittedOffset], for group: Name, at now: BrokerTime) -> Bool {
        guard self.open?.offsets[group] != nil else { return false }
        _ = self.update(at: now) { $0.offsets[group, default: [:]].merge(offsets) { $1 } }
        return true
    }

    /// Ends the transaction at the producer's request.
    ///
    /// - Returns: What must be written, or nil when the same request has been answered before.
    mutating func end(with marker: ControlMarker, at now: BrokerTime) throws(AppendRefusal) -> OpenTransaction? {
        switch self.phase {
        case .idle(let last):
            guard last == marker else { throw AppendRefusal(code: .invalidTransactionState) }
            return nil
        case .open(var transaction):
            transaction.writer = OpenTransaction.Writer(producerID: self.producerID, epoch: self.epoch)
            self.phase = .idle(last: marker)
            self.lastUsed = now.wall
            return transaction
        }
    }

    /// Drops the partitions of a deleted topic.
    mutating func forget(topic: Name) {
        guard case .open(var transaction) = self.phase else { return }
        transaction.partitions = transaction.partitions.filter { $0.topic != topic }
        for group in transaction.offsets.keys {
            transaction.offsets[group] = transaction.offsets[group]?.filter { $0.key.topic != topic }
        }
        self.phase = .open(transaction)
    }

    private mutating func update(at now: BrokerTime, _ change: (inout OpenTransaction) -> Void) -> Bool {
        self.lastUsed = now.wall
        switch self.phase {
        case .idle:
            var transaction = OpenTransaction(deadline: now.monotonic + Int64(self.timeoutMs))
            change(&transaction)
            self.phase = .open(transaction)
            return true
        case .open(var transaction):
            // Held in only one place while it changes; otherwise all of it would be copied.
            self.phase = .idle(last: nil)
            change(&transaction)
            self.phase = .open(transaction)
            return false
        }
    }
}

/// What a transaction has touched so far.
struct OpenTransaction: Sendable, Equatable {
    /// The time at which it is aborted, on the monotonic clock.
    var deadline: Int64
    /// The partitions that get a marker.
    var partitions: Set<TopicPartition> = []
    /// The offsets that become visible with the commit, by group.
    var offsets: [Name: [TopicPartition: CommittedOffset]] = [:]
    /// The producer whose id and epoch the markers carry; set when the transaction ends.
    var writer = Writer(producerID: -1, epoch: -1)

    /// The approximate number of bytes that the offsets take.
    var offsetBytes: Int { self.offsets.values.reduce(0) { $1.values.reduce($0) { $0 + $1.byteCount } } }

    /// The producer named in the markers.
    struct Writer: Sendable, Equatable {
        var producerID: Int64
        /// The epoch; after fencing, the new one.
        var epoch: Int16
    }
}
