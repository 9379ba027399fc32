import CRDKafka
import IntentEvents
import IntentRuntime

/// Passes records to a producer, and knows the topics that it writes to.
///
/// It is used on one thread, its owner's.
final class RecordWriter {
    private struct Topic {
        let name: TopicName
        let handle: OpaquePointer
        var partitions: Int
    }

    private let client: KafkaClient
    private let requestTimeout: Duration
    private let compressedTopics: Set<TopicName>
    /// The topics so far.
    ///
    /// A lane writes to a few, record by record: comparing names is faster than hashing them.
    private var topics: [Topic] = []
    /// The target of an empty key's or value's pointer: librdkafka treats a null pointer as a null value.
    private let empty = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

    /// Writes through this producer; `requestTimeout` bounds each metadata request.
    init(client: KafkaClient, requestTimeout: Duration, compressedTopics: Set<TopicName> = []) {
        self.client = client
        self.requestTimeout = requestTimeout
        self.compressedTopics = compressedTopics
        self.empty.initialize(to: 0)
    }

    deinit {
        for topic in self.topics { rd_kafka_topic_destroy(topic.handle) }
        self.empty.deallocate()
    }

    /// Checks that every record's partition exists, and fetches the metadata for writing at once.
    ///
    /// Without this the first record of a topic waits for up to a second, and one for a missing partition fails only
    /// later.
    /// - Throws: ``LogError``, `unknownTopic` or `unavailable`.
    func prepare(_ records: [OutgoingRecord]) throws(LogError) {
        // By index: iterating would copy each record's parts.
        for index in records.indices {
            let partition = records[index].topicPartition.partition
            let topic = self.index(of: records[index].topicPartition.topic)
            if let topic, partition >= 0, partition < self.topics[topic].partitions { continue }
            try self.prepare(records[index].topicPartition, topic)
        }
    }

    private func index(of topic: TopicName) -> Int? { self.topics.indices.first { self.topics[$0].name == topic } }

    /// Fetches the metadata of a record's topic, which may be known already.
    private func prepare(_ topicPartition: TopicPartition, _ known: Int?) throws(LogError) {
        let index = known ?? self.topics.endIndex
        if known == nil {
            guard let handle = self.makeTopic(topicPartition.topic) else {
                throw LogError(.unknownTopic, "invalid topic name \(topicPartition.topic)")
            }
            self.topics.append(Topic(name: topicPartition.topic, handle: handle, partitions: 0))
        }
        let partitions = try self.client.partitions(of: self.topics[index].handle, timeout: self.requestTimeout)
        self.topics[index].partitions = partitions
        guard topicPartition.partition >= 0, topicPartition.partition < partitions else {
            throw LogError(.unknownTopic, "unknown partition \(topicPartition)")
        }
    }

    /// A topic with the producer's own settings except for compression: LZ4, which every librdkafka has, costs next to
    /// nothing.
    private func makeTopic(_ name: TopicName) -> OpaquePointer? {
        guard self.compressedTopics.contains(name) else {
            return rd_kafka_topic_new(self.client.handle, name.text, nil)
        }
        let configuration = rd_kafka_default_topic_conf_dup(self.client.handle)
        _ = rd_kafka_topic_conf_set(configuration, "compression.codec", "lz4", nil, 0)
        // Takes ownership of the configuration.
        return rd_kafka_topic_new(self.client.handle, name.text, configuration)
    }

    /// Queues one record, waiting for room if the queue is full.
    ///
    /// `opaque` comes back with the delivery report. Call ``prepare(_:)`` first.
    func write(_ record: OutgoingRecord, opaque: UnsafeMutableRawPointer? = nil) -> rd_kafka_resp_err_t {
        guard let topic = self.index(of: record.topicPartition.topic) else { return RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC }
        while true {
            let code = self.produce(record, to: self.topics[topic].handle, opaque: opaque)
            guard code == RD_KAFKA_RESP_ERR__QUEUE_FULL else { return code }
            // Serves delivery reports, which makes room.
            rd_kafka_poll(self.client.handle, 10)
        }
    }

    private func produce(
        _ record: OutgoingRecord,
        to topic: OpaquePointer,
        opaque: UnsafeMutableRawPointer?
    ) -> rd_kafka_resp_err_t {
        record.content.withParts { parts in
            let headers = self.makeHeaders(parts)
            let code = intentd_rd_kafka_produce(
                self.client.handle,
                topic,
                Int32(record.topicPartition.partition),
                self.pointer(parts.key),
                parts.key?.count ?? 0,
                self.pointer(parts.value),
                parts.value?.count ?? 0,
                record.timestamp ?? 0,
                headers,
                opaque
            )
            if !code.isSuccess, let headers { rd_kafka_headers_destroy(headers) }
            return code
        }
    }

    /// The initial room for headers: an event has eleven.
    private static let usualHeaders = 12

    private func makeHeaders(_ parts: RecordParts) -> OpaquePointer? {
        guard parts.hasHeaders else { return nil }
        let list = rd_kafka_headers_new(Self.usualHeaders)
        parts.forEachHeader { name, value in
            name.withMemoryRebound(to: CChar.self) { name in
                // An empty name has length 0; only its pointer must not be null.
                _ = rd_kafka_header_add(
                    list,
                    name.baseAddress ?? self.emptyName,
                    name.count,
                    self.pointer(value),
                    value?.count ?? 0
                )
            }
        }
        return list
    }

    /// The start of a part: null for a null, and any address for an empty one.
    private func pointer(_ part: UnsafeBufferPointer<UInt8>?) -> UnsafeRawPointer? {
        part.map { UnsafeRawPointer($0.baseAddress) ?? UnsafeRawPointer(self.empty) }
    }

    private var emptyName: UnsafePointer<CChar> { UnsafeRawPointer(self.empty).assumingMemoryBound(to: CChar.self) }
}
