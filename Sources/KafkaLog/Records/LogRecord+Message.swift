import CRDKafka
import IntentRuntime

extension LogRecord {
    /// Copies a record out of one of librdkafka's messages.
    init(_ message: UnsafeMutablePointer<rd_kafka_message_t>, topics: inout TopicNames) {
        let content = message.pointee
        self.init(
            topicPartition: TopicPartition(topics.name(of: content.rkt), Int(content.partition)),
            offset: content.offset,
            timestamp: rd_kafka_message_timestamp(message, nil),
            key: Self.bytes(content.key, count: content.key_len),
            value: Self.bytes(content.payload, count: content.len),
            headers: Self.headers(of: message)
        )
    }

    /// Null stays nil, and empty stays empty.
    private static func bytes(_ start: UnsafeRawPointer?, count: Int) -> [UInt8]? {
        start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) }
    }

    private static func headers(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> [LogHeader] {
        var list: OpaquePointer?
        guard rd_kafka_message_headers(message, &list).isSuccess, let list else { return [] }
        let count = rd_kafka_header_cnt(list)
        return (0..<count)
            .map { index in
                var name: UnsafePointer<CChar>?
                var value: UnsafeRawPointer?
                var size = 0
                _ = rd_kafka_header_get_all(list, index, &name, &value, &size)
                return LogHeader(name.map { String(cString: $0) } ?? "", bytes: Self.bytes(value, count: size))
            }
    }
}
