import NIOCore

/// The broker without network, threads and clocks: requests and times go in, answers come out.
///
/// It is confined to the broker's thread. A *round* is any number of calls of `handle` and `tick`, one `finishRound`,
/// and the store's `commit`; after that the answers in `outbox` may be sent. After a failed commit the core is
/// discarded and recreated from the store, as if the broker had been restarted.
struct BrokerCore {
    let store: LogStore
    let configuration: EmbeddedBroker.Configuration
    /// The advertised address, which Metadata and FindCoordinator return.
    let address: Address
    /// The cluster's id, generated once for each file.
    let clusterID: String
    var topics: [Name: Topic]
    var groups: [Name: ConsumerGroup]
    var transactions: [Name: TransactionalProducer]
    /// The transactional id of each transactional producer.
    var transactionalIDs: [Int64: Name]
    /// Answers that may be sent after the commit; a nil response sends nothing (`acks=0`).
    var outbox: [(token: ReplyToken, response: (any WireEncodable)?)] = []
    /// The approximate number of bytes that the answers hold.
    var outboxBytes = 0
    /// The number of bytes of records that Fetch may still return in this round.
    var fetchAllowance = Int.max
    /// Notices for the operator.
    var notices: [BrokerNotice] = []
    private var noticeTimes: [BrokerNotice.Kind: Int64] = [:]
    /// Long polls that wait.
    var fetches: [ReplyToken: LongPoll] = [:]
    /// The long polls that wait for each partition, with the offset from which on they wait.
    var waiting: [TopicPartition: [ReplyToken: Int64]] = [:]
    /// The number of partitions that all long polls together name.
    var waitingPartitions = 0
    var deadlines = DeadlineQueue()
    /// Partitions whose logs have grown or whose transactions have ended in this round.
    var touchedPartitions: Set<TopicPartition> = []
    /// Transactional ids that have changed in this round.
    var touchedTransactions: Set<Name> = []
    /// Transactions that have ended in this round.
    var endedTransactions = EndedTransactions()
    /// Groups that have changed in this round.
    var touchedGroups: Set<Name> = []
    /// Partitions that this run of the cleaning has not reached yet.
    var uncleaned: [TopicPartition] = []
    /// The compaction that is in progress.
    var compaction: Compaction?
    /// The offset up to which each partition has been compacted, by row; forgotten at a restart.
    var compactedUpTo: [Int64: Int64] = [:]
    /// Bytes of all committed offsets.
    var offsetBytes = 0
    /// The number of producers that were added since all were last counted.
    var producersAdded = 0
    /// The number of partitions of all topics.
    var partitionCount = 0
    private var savedRevisions: [Name: UInt64] = [:]
    private var nextProducerID: Int64
    private var reservedProducerIDs: Int64
    private var memberCount: UInt64 = 0

    /// How many transactions have ended.
    struct EndedTransactions: Hashable, Sendable {
        var commits = 0
        var aborts = 0

        mutating func count(_ marker: ControlMarker) {
            switch marker {
            case .commit: self.commits += 1
            case .abort: self.aborts += 1
            }
        }
    }

    /// Returns and clears the counts of transactions that have ended since the last call; nil if there are none.
    mutating func drainEndedTransactions() -> EndedTransactions? {
        guard self.endedTransactions != EndedTransactions() else { return nil }
        defer { self.endedTransactions = EndedTransactions() }
        return self.endedTransactions
    }

    /// The address at which clients reach the broker.
    struct Address: Sendable, Equatable {
        /// The host name or IP address.
        var host: String
        var port: Int32
    }

    /// Recovers everything from the store.
    init(
        store: LogStore,
        configuration: EmbeddedBroker.Configuration,
        address: Address,
        at now: BrokerTime
    ) throws {
        try store.settle()
        self.store = store
        self.configuration = configuration
        self.address = address
        if let clusterID = try store.setting("cluster.id") {
            self.clusterID = clusterID
        } else {
            let id = TopicID.random()
            self.clusterID = String(id.high, radix: 36) + String(id.low, radix: 36)
            try store.set("cluster.id", to: self.clusterID)
        }
        self.nextProducerID = Int64(try store.setting("producer.ids") ?? "1") ?? 1
        self.reservedProducerIDs = self.nextProducerID
        self.topics = Dictionary(uniqueKeysWithValues: try store.topics().map { ($0.name, $0) })
        self.groups = try store.groups(at: now)
        self.transactions = try store.transactions(at: now)
        self.transactionalIDs = Dictionary(
            self.transactions.values.map { ($0.producerID, $0.transactionalID) },
            uniquingKeysWith: { first, _ in first }
        )
        let longest = Int32(clamping: configuration.maxTransactionTimeout.milliseconds)
        for name in Array(self.transactions.keys) { self.transactions[name]?.shorten(to: longest, at: now) }
        self.offsetBytes = self.groups.values.reduce(0) { $1.offsets.values.reduce($0) { $0 + $1.byteCount } }
        self.partitionCount = self.topics.values.reduce(0) { $0 + $1.partitions.count }
        for (name, producer) in self.transactions {
            if let open = producer.open { self.deadlines.add(.transaction(name), at: open.deadline) }
        }
        for (name, group) in self.groups { self.setTimer(for: group, name) }
        self.deadlines.add(.cleaning, at: now.monotonic + configuration.cleaningInterval.milliseconds)
        try store.commit()
    }

    mutating func reply(_ token: ReplyToken, _ response: any WireEncodable) {
        self.outbox.append((token, response))
        self.outboxBytes += response.weight
    }

    /// Logs a notice, unless a similar one was logged a moment ago.
    mutating func notify(_ notice: BrokerNotice, at now: BrokerTime) {
        if let last = self.noticeTimes[notice.kind], now.monotonic - last < 10_000 { return }
        self.noticeTimes[notice.kind] = now.monotonic
        self.notices.append(notice)
    }

    /// Whether there are fewer of something than the limit; if not, a notice is logged.
    mutating func allows(_ count: Int, of what: String, limit: Int, at now: BrokerTime) -> Bool {
        if count < limit { return true }
        self.notify(.limitReached(what, limit: limit), at: now)
        return false
    }

    /// A producer id that has never been handed out, not even before a crash.
    mutating func freshProducerID() throws -> Int64 {
        if self.nextProducerID == self.reservedProducerIDs {
            self.reservedProducerIDs += 100
            try self.store.set("producer.ids", to: String(self.reservedProducerIDs))
        }
        defer { self.nextProducerID += 1 }
        return self.nextProducerID
    }

    /// An id for a new group member.
    mutating func freshMemberID(_ context: RequestContext, instanceID: Name?) -> Name {
        self.memberCount += 1
        let id = TopicID.random()
        // A name that the client chose may be long; the part after it makes the id unique.
        let prefix = Name(String((instanceID?.text ?? context.clientID).prefix(64)))
        return "\(prefix)-\(String(id.high, radix: 16))\(String(self.memberCount, radix: 16))"
    }

    /// Handles expired time-outs; the clock counts the microseconds of the monotonic clock.
    mutating func tick(at now: BrokerTime, clock: () -> Int64) throws {
        while let subject = self.deadlines.popDue(at: now) {
            switch subject {
            case .fetch(let token): try self.endPoll(token)
            case .group(let name): self.groupAlarm(name, at: now)
            case .transaction(let name): try self.transactionTimedOut(name, at: now)
            case .cleaning:
                let begun = clock()
                let isOver = try self.clean(at: now)
                let ended = clock()
                let pause =
                    isOver
                    ? self.configuration.cleaningInterval.milliseconds
                    : Self.pause(afterCleaningFor: ended - begun)
                self.deadlines.add(.cleaning, at: ended / 1_000 + pause)
            }
        }
    }

    /// Wakes long polls and writes the changes that are not in the logs.
    mutating func finishRound() throws {
        try self.wakePolls()
        let store = self.store
        for partition in self.touchedPartitions {
            try self.withLog(partition) { log in
                for producer in log.drainDirtyProducers() {
                    guard let state = log.producers[producer] else { continue }
                    try store.save(state, producer: producer, partition: log.id)
                }
            }
        }
        for name in self.touchedTransactions {
            if let producer = self.transactions[name] { try self.store.save(producer) }
        }
        for name in self.touchedGroups {
            guard let group = self.groups[name] else { continue }
            self.setTimer(for: group, name)
            guard self.savedRevisions[name] != group.revision else { continue }
            self.savedRevisions[name] = group.revision
            try self.store.save(group)
        }
        self.touchedPartitions.removeAll(keepingCapacity: true)
        self.touchedTransactions.removeAll(keepingCapacity: true)
        self.touchedGroups.removeAll(keepingCapacity: true)
    }

    /// Changes a partition's log in place; nil when there is none.
    ///
    /// Code that copies a log out of its topic and changes the copy duplicates what the log remembers, including the
    /// newest batches.
    @discardableResult
    mutating func withLog<Result>(
        _ place: TopicPartition,
        _ body: (inout PartitionLog) throws -> Result
    ) rethrows -> Result? {
        let index = Int(place.partition)
        guard let found = self.topics.index(forKey: place.topic),
            self.topics.values[found].partitions.indices.contains(index)
        else { return nil }
        return try body(&self.topics.values[found].partitions[index])
    }

    /// Forgets a group, in the store too.
    mutating func forgetGroup(_ name: Name) {
        let group = self.groups.removeValue(forKey: name)
        self.offsetBytes -= group?.offsets.values.reduce(0) { $0 + $1.byteCount } ?? 0
        self.touchedGroups.remove(name)
        self.savedRevisions[name] = nil
    }

    private mutating func groupAlarm(_ name: Name, at now: BrokerTime) {
        guard self.groups[name] != nil else { return }
        self.withGroup(name) { $0.tick(at: now) }
    }

    private mutating func setTimer(for group: ConsumerGroup, _ name: Name) {
        if let deadline = group.nextDeadline { self.deadlines.add(.group(name), at: deadline) }
    }
}

extension Array {
    /// The element at an index from the wire, or nil.
    subscript(safely index: Int32) -> Element? {
        index >= 0 && Int(index) < self.count ? self[Int(index)] : nil
    }
}

extension Duration {
    var milliseconds: Int64 {
        self.components.seconds * 1_000 + self.components.attoseconds / 1_000_000_000_000_000
    }
}
