import CRDKafka
import IntentEvents
import IntentRuntime

extension KafkaAdmin {
    /// Makes missing topics; returns when the metadata of all brokers have them.
    /// - Throws: ``LogError``, `configuration`, `unavailable`, `notAuthorized`.
    func createTopics(_ topics: [TopicDescription]) throws(LogError) -> Set<TopicName> {
        guard !topics.isEmpty else { return [] }
        let client = try self.client()
        var requests: [OpaquePointer?] = []
        defer { requests.forEach(rd_kafka_NewTopic_destroy) }
        for topic in topics {
            var message = ErrorText()
            guard
                let request = rd_kafka_NewTopic_new(
                    topic.name.text,
                    Int32(topic.partitions),
                    Int32(topic.replicationFactor),
                    &message.bytes,
                    message.bytes.count
                )
            else {
                throw LogError(.configuration, "topic \(topic.name): \(message.string)")
            }
            for (name, value) in topic.configuration {
                rd_kafka_NewTopic_set_config(request, name, value)
            }
            requests.append(request)
        }
        let made = try AdminCall(client: client, timeout: self.timeout)(
            RD_KAFKA_ADMIN_OP_CREATETOPICS,
            "making topics",
            send: { options, queue in
                rd_kafka_CreateTopics(client.handle, &requests, requests.count, options, queue)
            },
            receive: { event throws(LogError) in
                var made: Set<TopicName> = []
                var count = 0
                guard let result = rd_kafka_event_CreateTopics_result(event),
                    let answers = rd_kafka_CreateTopics_result_topics(result, &count)
                else { return made }
                for answer in UnsafeBufferPointer(start: answers, count: count) {
                    let name = TopicName(String(cString: rd_kafka_topic_result_name(answer)))
                    let code = rd_kafka_topic_result_error(answer)
                    guard code != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS else { continue }
                    guard code.isSuccess else {
                        let text = rd_kafka_topic_result_error_string(answer).map { String(cString: $0) }
                        var error = client.failure(code, "topic \(name)")
                        if let text { error.message += " (\(text))" }
                        throw error
                    }
                    made.insert(name)
                }
                return made
            }
        )
        let deadline = ContinuousClock.now + self.timeout
        let names = topics.map(\.name)
        try Self.awaitTopics(names, client, deadline)
        guard !made.isEmpty else { return made }
        let brokers = try client.brokers(timeout: self.timeout)
        for broker in brokers where brokers.count > 1 {
            // The next client may ask any of them; one that does not answer now does not answer that client either.
            try? Self.awaitTopics(names, self.client(at: broker), deadline)
        }
        return made
    }

    /// Waits until a client's broker has these topics in its metadata: the controller answers before it does.
    private static func awaitTopics(
        _ names: [TopicName],
        _ client: KafkaClient,
        _ deadline: ContinuousClock.Instant
    ) throws(LogError) {
        while true {
            let known = try client.topics(timeout: deadline.remaining)
            guard let missing = names.first(where: { known[$0] == nil }) else { return }
            guard deadline.remaining > .zero else {
                throw LogError(.unavailable, "topic \(missing) was created but is not listed", isRetriable: true)
            }
            OwnThread.sleep(.milliseconds(20))
        }
    }

    /// The number of brokers that are there.
    /// - Throws: ``LogError``, `unavailable`.
    func brokerCount() throws(LogError) -> Int { try self.client().brokers(timeout: self.timeout).count }

    /// The numbers of partitions of those topics that exist.
    /// - Throws: ``LogError``, `unavailable`.
    func partitionCounts(of names: [TopicName]) throws(LogError) -> [TopicName: Int] {
        try self.client().topics(names, timeout: self.timeout).filter { names.contains($0.key) }.mapValues(\.partitions)
    }

    /// Describes all topics but Kafka's own.
    /// - Throws: ``LogError``, `unavailable`, `notAuthorized`.
    func topics() throws(LogError) -> [TopicDescription] {
        let client = try self.client()
        let known = try client.topics(timeout: self.timeout).filter { !$0.key.hasPrefix("__") }
        let settings = try self.settings(of: known.keys.sorted(), client)
        return known.sorted { $0.key < $1.key }
            .map { name, topic in
                TopicDescription(
                    name: name,
                    partitions: topic.partitions,
                    replicationFactor: topic.replicas,
                    configuration: settings[name] ?? [:]
                )
            }
    }

    /// The topics' own settings, without the broker's defaults.
    private func settings(
        of names: [TopicName],
        _ client: KafkaClient
    ) throws(LogError) -> [TopicName: [String: String]] {
        guard !names.isEmpty else { return [:] }
        var requests = names.map { rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, $0.text) }
        defer { requests.forEach(rd_kafka_ConfigResource_destroy) }
        return try AdminCall(client: client, timeout: self.timeout)(
            RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS,
            "describing topics",
            send: { options, queue in
                rd_kafka_DescribeConfigs(client.handle, &requests, requests.count, options, queue)
            },
            receive: { event throws(LogError) in
                var settings: [TopicName: [String: String]] = [:]
                var count = 0
                guard let result = rd_kafka_event_DescribeConfigs_result(event),
                    let answers = rd_kafka_DescribeConfigs_result_resources(result, &count)
                else { return settings }
                for answer in UnsafeBufferPointer(start: answers, count: count) {
                    let name = TopicName(String(cString: rd_kafka_ConfigResource_name(answer)))
                    // A topic may have been deleted since.
                    guard rd_kafka_ConfigResource_error(answer).isSuccess else { continue }
                    settings[name] = Self.ownSettings(of: answer)
                }
                return settings
            }
        )
    }

    private static func ownSettings(of resource: OpaquePointer?) -> [String: String] {
        var settings: [String: String] = [:]
        var count = 0
        guard let entries = rd_kafka_ConfigResource_configs(resource, &count) else { return settings }
        for entry in UnsafeBufferPointer(start: entries, count: count)
        where rd_kafka_ConfigEntry_source(entry) == RD_KAFKA_CONFIG_SOURCE_DYNAMIC_TOPIC_CONFIG {
            if let value = rd_kafka_ConfigEntry_value(entry) {
                settings[String(cString: rd_kafka_ConfigEntry_name(entry))] = String(cString: value)
            }
        }
        return settings
    }
}
