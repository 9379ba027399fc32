import IntentEvents
import IntentRuntime

/// Everything that a log in memory holds, as a value; transitions return whom to wake.
struct LogState {
    /// The topics, by name.
    var topics: [TopicName: TopicState] = [:]
    /// The groups, by name.
    var groups: [GroupName: GroupState] = [:]
    /// Which group each lane is in.
    var groupOfLane: [ClientID: GroupName] = [:]
    /// Lanes whose name another has taken.
    var fenced: Set<ClientID> = []
    /// Where each reader is.
    var readers: [ClientID: [TopicPartition: Int64]] = [:]
    /// What is to go wrong, oldest first.
    var faults: [Fault] = []
    /// Whether the log was closed.
    var isClosed = false
    /// Whether a transaction takes an offset of its own in each partition.
    let marksTransactions: Bool
    /// The largest record of a topic that doesn't say.
    let maximumRecordSize: Int
    private var clients = 0
    private var transactions = 0

    /// An empty log.
    init(marksTransactions: Bool, maximumRecordSize: Int) {
        self.marksTransactions = marksTransactions
        self.maximumRecordSize = maximumRecordSize
    }

    /// A name for one more lane or reader.
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
        guard !self.isClosed else {
            throw LogError(.closed, "the log was closed")
        }
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
            throw LogError(.unknownTopic, "there is no partition \(topicPartition)")
        }
        return topic
    }

    /// Makes topics that do not exist, all or none.
    mutating func createTopics(_ descriptions: [TopicDescription]) throws(LogError) -> Set<TopicName> {
        try self.checkOpen()
        var made: [TopicName: TopicState] = [:]
        for description in descriptions where self.topics[description.name] == nil {
            made[description.name] = try TopicState(description, maximumRecordSize: self.maximumRecordSize)
        }
        self.topics.merge(made) { old, _ in old }
        return Set(made.keys)
    }

    /// Looks offsets up.
    func offsets(
        _ partitions: [TopicPartition],
        at query: OffsetQuery
    ) throws(LogError) -> [TopicPartition: Int64] {
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

    /// Takes the oldest fault that `pick` recognises.
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
