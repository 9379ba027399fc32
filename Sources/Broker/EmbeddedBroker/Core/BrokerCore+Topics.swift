extension BrokerCore {
    /// DeleteTopics: drops records, producers' states, the topic's part in open transactions, and committed offsets.
    mutating func deleteTopics(_ request: DeleteTopicsRequest) throws -> DeleteTopicsResponse {
        var response = DeleteTopicsResponse()
        let named = request.topicNames.map { DeleteTopicsRequest.Topic(name: $0) } + request.topics
        for wanted in named {
            guard self.configuration.allowsDeletion else {
                response.responses.append(
                    .init(name: wanted.name, topicID: wanted.topicID, errorCode: .policyViolation)
                )
                continue
            }
            let found =
                if let name = wanted.name { self.topics[name] } else {
                    self.topics.values.first { $0.topicID == wanted.topicID }
                }
            var result = DeleteTopicsResponse.Topic(name: wanted.name, topicID: wanted.topicID)
            if let topic = found {
                result.name = topic.name
                result.topicID = topic.topicID
                try self.delete(topic)
            } else {
                result.errorCode = wanted.name == nil ? .unknownTopicID : .unknownTopicOrPartition
            }
            response.responses.append(result)
        }
        return response
    }

    private mutating func delete(_ topic: Topic) throws {
        try self.topics.delete(topic)
        self.cleaner.forget(topic)
        self.transactions.forget(topic: topic.name)
        try self.groups.dropOffsets(of: topic.name)
    }
}
