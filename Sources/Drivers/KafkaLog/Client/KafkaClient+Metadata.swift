import CRDKafka
import IntentEvents
import IntentRuntime

extension KafkaClient {
    /// Asks a broker for topics and their partition counts; blocks up to the time-out.
    ///
    /// - Parameters:
    ///   - names: The topics; nil for all. Others that the client knows may be among the result.
    ///   - timeout: The time-out.
    /// - Returns: The topics that exist.
    /// - Throws: ``LogError``, `unavailable` when no broker answers.
    func topics(
        _ names: [TopicName]? = nil,
        timeout: Duration
    ) throws(LogError) -> [TopicName: (partitions: Int, replicas: Int)] {
        let deadline = ContinuousClock.now + timeout
        // With neither a topic nor all of them, librdkafka asks for those that the client has handles of.
        let handles = (names ?? []).map { rd_kafka_topic_new(self.handle, $0.text, nil) }
        defer { for handle in handles { handle.map(rd_kafka_topic_destroy) } }
        let metadata = try self.metadata(of: nil, isAll: names == nil, deadline: deadline)
        defer { rd_kafka_metadata_destroy(metadata) }
        var found: [TopicName: (partitions: Int, replicas: Int)] = [:]
        let content = metadata.pointee
        for topic in UnsafeBufferPointer(start: content.topics, count: Int(content.topic_cnt)) where topic.err.isSuccess
        {
            found[TopicName(String(cString: topic.topic))] = (
                Int(topic.partition_cnt), topic.partition_cnt > 0 ? Int(topic.partitions[0].replica_cnt) : 0
            )
        }
        return found
    }

    /// Checks that all partitions exist; blocks up to the time-out.
    /// - Throws: ``LogError``, `unknownTopic`, `unavailable`.
    func check(_ partitions: some Sequence<TopicPartition>, timeout: Duration) throws(LogError) {
        let known = try self.topics(timeout: timeout)
        for topicPartition in partitions {
            guard let topic = known[topicPartition.topic], 0..<topic.partitions ~= topicPartition.partition else {
                throw LogError(.unknownTopic, "unknown partition \(topicPartition)")
            }
        }
    }

    /// Asks a broker for the addresses of all; blocks up to the time-out.
    /// - Throws: ``LogError``, `unavailable` when no broker answers.
    func brokers(timeout: Duration) throws(LogError) -> [String] {
        let metadata = try self.metadata(of: nil, deadline: ContinuousClock.now + timeout)
        defer { rd_kafka_metadata_destroy(metadata) }
        return UnsafeBufferPointer(start: metadata.pointee.brokers, count: Int(metadata.pointee.broker_cnt))
            .map { broker in
                let host = String(cString: broker.host)
                return host.contains(":") ? "[\(host)]:\(broker.port)" : "\(host):\(broker.port)"
            }
    }

    /// Asks a broker for one topic's partition count; blocks up to the time-out.
    /// - Throws: ``LogError``, `unknownTopic` or `unavailable`.
    func partitions(of topic: OpaquePointer, timeout: Duration) throws(LogError) -> Int {
        let deadline = ContinuousClock.now + timeout
        let name = String(cString: rd_kafka_topic_name(topic))
        while true {
            let metadata = try self.metadata(of: topic, deadline: deadline)
            defer { rd_kafka_metadata_destroy(metadata) }
            let content = metadata.pointee
            guard let found = UnsafeBufferPointer(start: content.topics, count: Int(content.topic_cnt)).first else {
                throw LogError(.unknownTopic, "unknown topic \(name)")
            }
            guard found.err == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, deadline.remaining > .zero else {
                guard found.err.isSuccess else { throw self.failure(found.err, "topic \(name)") }
                return Int(found.partition_cnt)
            }
        }
    }

    /// Metadata of one topic, of all, or of those that the client has handles of; the caller destroys them.
    private func metadata(
        of topic: OpaquePointer?,
        isAll: Bool = true,
        deadline: ContinuousClock.Instant
    ) throws(LogError) -> UnsafePointer<rd_kafka_metadata> {
        while true {
            var metadata: UnsafePointer<rd_kafka_metadata>?
            let code = rd_kafka_metadata(
                self.handle,
                topic == nil && isAll ? 1 : 0,
                topic,
                &metadata,
                deadline.remaining.milliseconds
            )
            if code.isSuccess, let metadata { return metadata }
            guard code == RD_KAFKA_RESP_ERR__TRANSPORT, deadline.remaining > .zero else {
                // Serves the error callback, which keeps the network error.
                rd_kafka_poll(self.handle, 0)
                throw self.failure(code, "fetching metadata")
            }
            rd_kafka_poll(self.handle, 20)
        }
    }
}
