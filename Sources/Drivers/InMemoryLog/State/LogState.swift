import IntentEvents
import IntentRuntime

/// The content of a log in memory, as a value; transitions return the clients to wake.
struct LogState {
    var topics: [TopicName: TopicState] = [:]
    var groups: [GroupName: GroupState] = [:]
    var groupOfLane: [ClientID: GroupName] = [:]
    /// Lanes whose name another lane now has.
    var fenced: Set<ClientID> = []
    /// The positions of each reader.
    var readers: [ClientID: [TopicPartition: Int64]] = [:]
    /// The faults that are to happen, oldest first.
    var faults: [Fault] = []
    var isClosed = false
    /// Whether a transaction takes an offset of its own in each partition.
    let marksTransactions: Bool
    /// The largest record of a topic that does not set its own limit.
    let maximumRecordSize: Int
    private var clients = 0
    private var transactions = 0

    init(marksTransactions: Bool, maximumRecordSize: Int) {
        self.marksTransactions = marksTransactions
        self.maximumRecordSize = maximumRecordSize
    }

    /// An id for one more lane or reader.
    mutating func makeClientID() -> ClientID {
        self.clients += 1
        return ClientID(number: self.clients)
    }

    /// A number for one more transaction of a client.
    mutating func makeTransaction() -> Int {
        self.transactions += 1
        return self.transactions
    }

    /// Throws if the log was closed.
    func checkOpen() throws(LogError) {
        guard !self.isClosed else { throw LogError(.closed, "the log was closed") }
    }

    /// A partition.
    /// - Throws: ``LogError``, `unknownTopic`.
    func partition(_ topicPartition: TopicPartition) throws(LogError) -> PartitionLog {
        try self.topic(of: topicPartition).partitions[topicPartition.partition]
    }

    /// The topic that has that partition.
    /// - Throws: ``LogError``, `unknownTopic`.
    func topic(of topicPartition: TopicPartition) throws(LogError) -> TopicState {
        guard let topic = self.topics[topicPartition.topic],
            topic.partitions.indices.contains(topicPartition.partition)
        else {
            throw LogError(.unknownTopic, "unknown partition \(topicPartition)")
        }
        return topic
    }

    /// Creates topics that do not exist, all or none.
    mutating func createTopics(_ descriptions: [TopicDescription]) throws(LogError) -> Set<TopicName> {
        try self.checkOpen()
        var made: [TopicName: TopicState] = [:]
        for description in descriptions where self.topics[description.name] == nil {
            made[description.name] = try TopicState(description, maximumRecordSize: self.maximumRecordSize)
        }
        self.topics.merge(made) { old, _ in old }
        return Set(made.keys)
    }

    func offsets(_ partitions: [TopicPartition], at query: OffsetQuery) throws(LogError) -> [TopicPartition: Int64] {
        try self.checkOpen()
        var found: [TopicPartition: Int64] = [:]
        for topicPartition in partitions {
            let partition = try self.partition(topicPartition)
            found[topicPartition] =
                switch query {
                case .earliest: partition.start
                case .end: partition.end
                case .lastStable: partition.lastStable
                case .time(let time): partition.offset(at: time)
                }
        }
        return found
    }

    /// Removes the oldest fault that `pick` recognises.
    mutating func popFault<Taken>(_ pick: (Fault) -> Taken?) -> Taken? {
        for (index, fault) in self.faults.enumerated() {
            if let taken = pick(fault) {
                self.faults.remove(at: index)
                return taken
            }
        }
        return nil
    }
}

/// The id of a lane or reader of a log, counted from the first.
struct ClientID: Hashable, Comparable, Sendable {
    var number: Int

    /// Orders by age.
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}
