import CRDKafka
import IntentEvents
import IntentRuntime

/// Owns a `rd_kafka_topic_partition_list_t`.
struct PartitionList: ~Copyable {
    /// The list; it must not outlive this value.
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    /// A list of these partitions at these offsets (absolute, or one of librdkafka's negative ones).
    init(_ offsets: some Sequence<(TopicPartition, Int64)>) {
        self.pointer = rd_kafka_topic_partition_list_new(8)
        for (topicPartition, offset) in offsets {
            let element = rd_kafka_topic_partition_list_add(
                self.pointer,
                topicPartition.topic.text,
                Int32(topicPartition.partition)
            )
            element?.pointee.offset = offset
        }
    }

    /// A list of these partitions without offsets.
    init(_ partitions: some Sequence<TopicPartition>) {
        self.init(partitions.lazy.map { ($0, Int64(RD_KAFKA_OFFSET_INVALID)) })
    }

    deinit { rd_kafka_topic_partition_list_destroy(self.pointer) }

    var elements: [Element] { Self.elements(of: self.pointer) }

    /// One partition's entry.
    struct Element {
        var topicPartition: TopicPartition
        /// Its offset, or one of librdkafka's negative ones.
        var offset: Int64
        var error: rd_kafka_resp_err_t
    }

    /// Copies a list that belongs to librdkafka.
    static func elements(of pointer: UnsafePointer<rd_kafka_topic_partition_list_t>?) -> [Element] {
        guard let list = pointer?.pointee, list.cnt > 0 else { return [] }
        return UnsafeBufferPointer(start: list.elems, count: Int(list.cnt))
            .map { element in
                Element(
                    topicPartition: TopicPartition(TopicName(String(cString: element.topic)), Int(element.partition)),
                    offset: element.offset,
                    error: element.err
                )
            }
    }
}
