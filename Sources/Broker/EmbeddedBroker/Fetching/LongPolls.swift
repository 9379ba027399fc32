/// A Fetch that waits for enough records or for its time.
struct LongPoll: Sendable {
    var request: FetchRequest
    /// The request's context, with the address of the answer.
    var context: RequestContext

    /// The number of partitions that it names.
    var partitionCount: Int { self.request.topics.reduce(0) { $0 + $1.partitions.count } }
}

/// The long polls that wait.
struct LongPolls {
    private(set) var byToken: [ReplyToken: LongPoll] = [:]
    /// The long polls that wait for each partition, with the offset from which on they wait.
    private(set) var waiting: [TopicPartition: [ReplyToken: Int64]] = [:]
    /// The number of partitions that all long polls together name.
    private(set) var partitionCount = 0

    subscript(token: ReplyToken) -> LongPoll? { self.byToken[token] }

    mutating func add(_ poll: LongPoll) {
        let token = poll.context.token
        self.partitionCount += poll.partitionCount
        self.byToken[token] = poll
        for topic in poll.request.topics {
            for wanted in topic.partitions {
                let partition = TopicPartition(topic: topic.topic, partition: wanted.partition)
                self.waiting[partition, default: [:]].merge([token: wanted.fetchOffset], uniquingKeysWith: min)
            }
        }
    }

    /// Removes a long poll; false when there is none.
    mutating func remove(_ token: ReplyToken) -> Bool {
        guard let poll = self.byToken.removeValue(forKey: token) else { return false }
        self.partitionCount -= poll.partitionCount
        for topic in poll.request.topics {
            for wanted in topic.partitions {
                let partition = TopicPartition(topic: topic.topic, partition: wanted.partition)
                self.waiting[partition]?[token] = nil
                if self.waiting[partition]?.isEmpty == true { self.waiting[partition] = nil }
            }
        }
        return true
    }

    /// The long polls on changed partitions that may have enough records now.
    func candidates(in topics: Topics) -> Set<ReplyToken> {
        var candidates: Set<ReplyToken> = []
        guard !self.byToken.isEmpty else { return candidates }
        for partition in topics.touched {
            guard let tokens = self.waiting[partition] else { continue }
            guard let log = topics[partition] else {
                candidates.formUnion(tokens.keys)
                continue
            }
            let stable = log.lastStableOffset
            for (token, offset) in tokens {
                guard let poll = self.byToken[token] else { continue }
                // Records that nobody may see yet wake no poll; an offset below the log's start is an error.
                let limit = poll.request.isolationLevel == 1 ? stable : log.endOffset
                if offset < limit || offset < log.startOffset { candidates.insert(token) }
            }
        }
        return candidates
    }
}
