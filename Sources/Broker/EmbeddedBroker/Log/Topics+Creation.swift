extension Topics {
    /// The largest number of partitions that a topic may have here.
    static let maxPartitions: Int32 = 10_000

    /// Creates a requested topic with the default settings; does nothing for an invalid name.
    mutating func autoCreate(_ name: Name, _ notices: inout Notices, at now: BrokerTime) throws {
        let count = self.configuration.defaultPartitions
        guard Topic.isValidName(name), self.hasRoom(topics: 1, partitions: count, &notices, at: now) else { return }
        try self.create(name, partitions: count, TopicConfiguration())
    }

    /// Whether this many more topics and partitions may exist.
    private func hasRoom(topics: Int, partitions: Int, _ notices: inout Notices, at now: BrokerTime) -> Bool {
        let limits = self.configuration.limits
        return notices.allows(self.count + topics - 1, of: "topics", limit: limits.topics, at: now)
            && notices.allows(
                self.partitionCount + partitions - 1,
                of: "partitions",
                limit: limits.partitions,
                at: now
            )
    }

    mutating func createTopics(
        _ request: CreateTopicsRequest,
        _ notices: inout Notices,
        at now: BrokerTime
    ) throws -> CreateTopicsResponse {
        var response = CreateTopicsResponse()
        // With `validateOnly` nothing is created, but the requested topics still count.
        var (planned, plannedPartitions) = (0, 0)
        let counts = Dictionary(request.topics.map { ($0.name, 1) }, uniquingKeysWith: +)
        for topic in request.topics {
            var result = CreateTopicsResponse.Topic(name: topic.name)
            var (configuration, refusal) = self.plan(topic, isRepeated: counts[topic.name] ?? 0 > 1)
            if refusal == nil {
                planned += 1
                plannedPartitions += self.partitionCount(of: topic)
                let topics = request.validateOnly ? planned : 1
                let partitions = request.validateOnly ? plannedPartitions : self.partitionCount(of: topic)
                if !self.hasRoom(topics: topics, partitions: partitions, &notices, at: now) {
                    refusal = (.policyViolation, "There are too many topics or partitions.")
                }
            }
            if let refusal {
                result.errorCode = refusal.code
                result.errorMessage = refusal.message
            } else {
                let count = self.partitionCount(of: topic)
                result.numPartitions = Int32(count)
                result.replicationFactor = 1
                result.configs = TopicConfiguration.defaults.keys.sorted()
                    .map { name in
                        .init(
                            name: name,
                            value: configuration.value(name),
                            configSource: configuration.values[name] == nil ? 5 : 1
                        )
                    }
                if !request.validateOnly {
                    try self.create(topic.name, partitions: count, configuration)
                    result.topicID = self[topic.name]?.topicID ?? .zero
                }
            }
            response.topics.append(result)
        }
        return response
    }

    private func partitionCount(of topic: CreateTopicsRequest.Topic) -> Int {
        if !topic.assignments.isEmpty { return topic.assignments.count }
        return topic.numPartitions == -1 ? self.configuration.defaultPartitions : Int(topic.numPartitions)
    }

    private func plan(
        _ topic: CreateTopicsRequest.Topic,
        isRepeated: Bool
    ) -> (TopicConfiguration, refusal: (code: ErrorCode, message: String)?) {
        var configuration = TopicConfiguration()
        if isRepeated { return (configuration, (.invalidRequest, "Duplicate topic name.")) }
        guard Topic.isValidName(topic.name) else { return (configuration, (.invalidTopic, "Illegal topic name.")) }
        if self[topic.name] != nil {
            return (configuration, (.topicAlreadyExists, "Topic '\(topic.name)' already exists."))
        }
        if topic.assignments.isEmpty {
            guard topic.numPartitions == -1 || (1...Self.maxPartitions).contains(topic.numPartitions) else {
                return (configuration, (.invalidPartitions, "Number of partitions must be 1 to \(Self.maxPartitions)."))
            }
            guard topic.replicationFactor == -1 || topic.replicationFactor == 1 else {
                return (configuration, (.invalidReplicationFactor, "There is only one broker."))
            }
        } else {
            let numbers = topic.assignments.map(\.partitionIndex).sorted()
            guard numbers == Array(0..<Int32(clamping: numbers.count)), numbers.count <= Int(Self.maxPartitions),
                topic.assignments.allSatisfy({ $0.brokerIDs == [BrokerCore.nodeID] })
            else { return (configuration, (.invalidReplicaAssignment, "There is only one broker.")) }
        }
        for setting in topic.configs {
            if let problem = configuration.set(setting.name, to: setting.value) {
                return (configuration, (.invalidConfig, problem))
            }
        }
        return (configuration, nil)
    }

    /// CreatePartitions: a topic can only grow.
    mutating func createPartitions(
        _ request: CreatePartitionsRequest,
        _ notices: inout Notices,
        at now: BrokerTime
    ) throws -> CreatePartitionsResponse {
        var response = CreatePartitionsResponse()
        for wanted in request.topics {
            var result = CreatePartitionsResponse.Result(name: wanted.name)
            if let topic = self[wanted.name] {
                if wanted.count <= Int32(topic.partitions.count) || wanted.count > Self.maxPartitions {
                    result.errorCode = .invalidPartitions
                    result.errorMessage = "Topic currently has \(topic.partitions.count) partitions."
                } else if !self.hasRoom(
                    topics: 0,
                    partitions: Int(wanted.count) - topic.partitions.count,
                    &notices,
                    at: now
                ) {
                    result.errorCode = .policyViolation
                    result.errorMessage = "There are too many partitions."
                } else if !request.validateOnly {
                    try self.grow(topic, to: Int(wanted.count))
                }
            } else {
                result.errorCode = .unknownTopicOrPartition
            }
            response.results.append(result)
        }
        return response
    }
}
