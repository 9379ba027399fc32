extension BrokerCore {
    /// The id of the only node.
    static let nodeID: Int32 = 1

    /// Metadata: creates topics that are requested by name, if both sides allow it.
    mutating func metadata(
        _ request: MetadataRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) throws -> MetadataResponse {
        var response = MetadataResponse(
            brokers: [.init(nodeID: Self.nodeID, host: self.address.host, port: self.address.port)],
            clusterID: self.clusterID,
            controllerID: Self.nodeID
        )
        // No list means all topics; version 0 has no null and uses an empty list instead.
        guard let wanted = request.topics, !(wanted.isEmpty && context.version == 0) else {
            response.topics = self.topics.values.sorted { $0.name < $1.name }.map(self.describe)
            return response
        }
        struct Identity: Hashable {
            var name: Name?
            var id: TopicID
        }
        var seen: Set<Identity> = []
        for topic in wanted where seen.insert(Identity(name: topic.name, id: topic.topicID)).inserted {
            guard let name = topic.name else {
                let found = self.topics.values.first { $0.topicID == topic.topicID }
                let unknown = MetadataResponse.Topic(errorCode: .unknownTopicID, topicID: topic.topicID)
                response.topics.append(found.map(self.describe) ?? unknown)
                continue
            }
            if self.topics[name] == nil, self.configuration.autoCreateTopics,
                context.version < 4 || request.allowAutoTopicCreation
            {
                try self.topics.autoCreate(name, &self.notices, at: now)
            }
            if let found = self.topics[name] {
                response.topics.append(self.describe(found))
            } else {
                let code: ErrorCode = Topic.isValidName(name) ? .unknownTopicOrPartition : .invalidTopic
                response.topics.append(.init(errorCode: code, name: name))
            }
        }
        return response
    }

    private func describe(_ topic: Topic) -> MetadataResponse.Topic {
        MetadataResponse.Topic(
            name: topic.name,
            topicID: topic.topicID,
            partitions: topic.partitions.indices.map { index in
                .init(
                    partitionIndex: Int32(index),
                    leaderID: Self.nodeID,
                    leaderEpoch: 0,
                    replicaNodes: [Self.nodeID],
                    isrNodes: [Self.nodeID]
                )
            }
        )
    }

    /// FindCoordinator: this broker coordinates every group and every transactional id.
    func findCoordinator(_ request: FindCoordinatorRequest) -> FindCoordinatorResponse {
        guard (0...1).contains(request.keyType) else {
            return FindCoordinatorResponse(
                errorCode: .invalidRequest,
                nodeID: -1,
                port: -1,
                coordinators: request.coordinatorKeys.map {
                    .init(key: $0, nodeID: -1, port: -1, errorCode: .invalidRequest)
                }
            )
        }
        return FindCoordinatorResponse(
            nodeID: Self.nodeID,
            host: self.address.host,
            port: self.address.port,
            coordinators: request.coordinatorKeys.map {
                .init(key: $0, nodeID: Self.nodeID, host: self.address.host, port: self.address.port)
            }
        )
    }

    func describeCluster() -> DescribeClusterResponse {
        DescribeClusterResponse(
            clusterID: self.clusterID,
            controllerID: Self.nodeID,
            brokers: [.init(brokerID: Self.nodeID, host: self.address.host, port: self.address.port)]
        )
    }
}
