/// The broker without network, threads and clocks: requests and times go in, answers come out.
///
/// Each part owns its variables. The core dispatches the requests to the parts, and handles those that concern several.
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
    var topics: Topics
    var groups: ConsumerGroups
    var transactions: Transactions
    var producerIDs: ProducerIDs
    var cleaner: LogCleaner
    var longPolls = LongPolls()
    var outbox = Outbox()
    var notices = Notices()
    var deadlines = DeadlineQueue()

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
        self.producerIDs = try ProducerIDs(store)
        self.topics = try Topics(store, configuration)
        self.groups = try ConsumerGroups(store, configuration, at: now)
        self.transactions = try Transactions(store, configuration, at: now)
        self.cleaner = LogCleaner(store, configuration)
        self.transactions.setTimers(&self.deadlines)
        self.groups.setTimers(&self.deadlines)
        self.deadlines.add(.cleaning, at: now.monotonic + configuration.cleaningInterval.milliseconds)
        try store.commit()
    }

    /// Handles expired time-outs; the clock counts the microseconds of the monotonic clock.
    mutating func tick(at now: BrokerTime, clock: () -> Int64) throws {
        while let subject = self.deadlines.popDue(at: now) {
            switch subject {
            case .fetch(let token): try self.endPoll(token)
            case .group(let name): self.carryOut(self.groups.tick(name, at: now))
            case .transaction(let name): try self.transactionTimedOut(name, at: now)
            case .cleaning:
                let begun = clock()
                let isOver = try self.clean(at: now)
                let ended = clock()
                let pause =
                    isOver
                    ? self.configuration.cleaningInterval.milliseconds
                    : LogCleaner.pause(afterCleaningFor: ended - begun)
                self.deadlines.add(.cleaning, at: ended / 1_000 + pause)
            }
        }
    }

    /// Wakes long polls and writes the changes that are not in the logs.
    mutating func finishRound() throws {
        try self.wakePolls()
        try self.topics.saveProducers()
        try self.transactions.save()
        try self.groups.save(&self.deadlines)
    }

    /// Does one step of the cleaning; a new run begins with what concerns no single partition.
    ///
    /// - Returns: Whether this run is complete.
    private mutating func clean(at now: BrokerTime) throws -> Bool {
        if self.cleaner.uncleaned.isEmpty {
            try self.transactions.expire(at: now)
            try self.groups.dropDispensable()
            try self.topics.forgetOldestProducers()
            self.cleaner.begin(self.topics)
        }
        return try self.cleaner.step(in: &self.topics, at: now)
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
