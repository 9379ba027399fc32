import NIOCore

/// The broker without network, threads and clocks: requests and moments go in, answers come out.
///
/// It lives on the broker's thread. A *round* is any number of calls of `handle` and `tick`, one `finishRound`, the
/// store's `commit`, and then the answers in `outbox` may go out. After a failed commit the core is thrown away and
/// made anew from the store, as if the broker had been restarted.
struct BrokerCore {
    let store: LogStore
    let configuration: EmbeddedBroker.Configuration
    /// What Metadata and FindCoordinator tell clients to connect to.
    let address: Address
    /// The cluster's id, made once for each file.
    let clusterID: String
    /// The topics by name.
    var topics: [Name: Topic]
    /// The groups by name.
    var groups: [Name: ConsumerGroup]
    /// The transactional ids.
    var transactions: [Name: TransactionalProducer]
    /// The transactional id of each transactional producer.
    var transactionalIDs: [Int64: Name]
    /// Answers that may go out after the commit; nil answers nothing (`acks=0`).
    var outbox: [(token: ReplyToken, response: (any WireEncodable)?)] = []
    /// About how many bytes the answers hold.
    var outboxBytes = 0
    /// How many bytes of records Fetch may still give out in this round.
    var fetchAllowance = Int.max
    /// What an operator should know.
    var notices: [BrokerNotice] = []
    private var noticeTimes: [BrokerNotice.Kind: Int64] = [:]
    /// Long polls that wait.
    var fetches: [ReplyToken: ParkedFetch] = [:]
    /// Which long polls wait for which partition, and from which offset on.
    var waiting: [TopicPartition: [ReplyToken: Int64]] = [:]
    /// How many partitions all long polls together name.
    var waitingPartitions = 0
    /// What happens later.
    var deadlines = DeadlineQueue()
    /// Partitions whose logs have grown or whose transactions have ended in this round.
    var touchedPartitions: Set<TopicPartition> = []
    /// Transactional ids that have changed in this round.
    var touchedTransactions: Set<Name> = []
    /// Transactions that have ended in this round.
    var endedTransactions = EndedTransactions()
    /// Groups that have changed in this round.
    var touchedGroups: Set<Name> = []
    /// Partitions that this run of the cleaning has still to look at.
    var uncleaned: [TopicPartition] = []
    /// The compaction that has begun and has not ended.
    var compaction: Compaction?
    /// Up to where each partition has been compacted, by row; forgotten with a restart.
    var compactedUpTo: [Int64: Int64] = [:]
    /// Bytes of all committed offsets.
    var offsetBytes = 0
    /// How many producers have been remembered anew since all were counted.
    var producersAdded = 0
    /// How many partitions there are in all topics.
    var partitionCount = 0
    private var savedRevisions: [Name: UInt64] = [:]
    private var nextProducerID: Int64
    private var reservedProducerIDs: Int64
    private var memberCount: UInt64 = 0

    /// How many transactions have ended.
    struct EndedTransactions: Hashable, Sendable {
        /// Those that were committed.
        var commits = 0
        /// Those that were aborted.
        var aborts = 0

        /// Counts one.
        mutating func count(_ marker: ControlMarker) {
            switch marker {
            case .commit: self.commits += 1
            case .abort: self.aborts += 1
            }
        }
    }

    /// The transactions that have ended since this was last asked; nil if there are none.
    mutating func takeEndedTransactions() -> EndedTransactions? {
        guard self.endedTransactions != EndedTransactions() else { return nil }
        defer { self.endedTransactions = EndedTransactions() }
        return self.endedTransactions
    }

    /// Where clients find the broker.
    struct Address: Sendable, Equatable {
        /// The name or number.
        var host: String
        /// The port.
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
        for (name, group) in self.groups { self.setAlarm(for: group, name) }
        self.deadlines.add(.cleaning, at: now.monotonic + configuration.cleaningInterval.milliseconds)
        try store.commit()
    }

    /// Answers a request.
    mutating func reply(_ token: ReplyToken, _ response: any WireEncodable) {
        self.outbox.append((token, response))
        self.outboxBytes += response.weight
    }

    /// Has something logged, unless the like has been a moment ago.
    mutating func tell(_ notice: BrokerNotice, at now: BrokerTime) {
        if let last = self.noticeTimes[notice.kind], now.monotonic - last < 10_000 { return }
        self.noticeTimes[notice.kind] = now.monotonic
        self.notices.append(notice)
    }

    /// Whether there are fewer of something than the limit; if not, it is told.
    mutating func allows(_ count: Int, of what: String, limit: Int, at now: BrokerTime) -> Bool {
        if count < limit { return true }
        self.tell(.limitReached(what, limit: limit), at: now)
        return false
    }

    /// A producer id that has never been given out, not even before a crash.
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
        // A name that the client gave itself may be long; the id is unique by what follows.
        let prefix = Name(String((instanceID?.text ?? context.clientID).prefix(64)))
        return "\(prefix)-\(String(id.high, radix: 16))\(String(self.memberCount, radix: 16))"
    }

    /// Lets time-outs take effect; the clock counts the microseconds of the monotonic one.
    mutating func tick(at now: BrokerTime, clock: () -> Int64) throws {
        while let subject = self.deadlines.popDue(at: now) {
            switch subject {
            case .fetch(let token): try self.endPoll(token)
            case .group(let name): self.groupAlarm(name, at: now)
            case .transaction(let name): try self.transactionAlarm(name, at: now)
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

    /// Wakes long polls and writes what has changed besides the logs.
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
            self.setAlarm(for: group, name)
            guard self.savedRevisions[name] != group.revision else { continue }
            self.savedRevisions[name] = group.revision
            try self.store.save(group)
        }
        self.touchedPartitions.removeAll(keepingCapacity: true)
        self.touchedTransactions.removeAll(keepingCapacity: true)
        self.touchedGroups.removeAll(keepingCapacity: true)
    }

    /// Changes a partition's log where it stands; nil when there is none.
    ///
    /// Whoever takes a log out of its topic and changes it there copies what it remembers, the newest batches included.
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

    /// Forgets a group; the store has to forget it too.
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

    private mutating func setAlarm(for group: ConsumerGroup, _ name: Name) {
        if let deadline = group.nextDeadline { self.deadlines.add(.group(name), at: deadline) }
    }
}

extension Array {
    /// The element at a number from the wire, or nil.
    subscript(safely index: Int32) -> Element? {
        index >= 0 && Int(index) < self.count ? self[Int(index)] : nil
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        self.components.seconds * 1_000 + self.components.attoseconds / 1_000_000_000_000_000
    }
}
