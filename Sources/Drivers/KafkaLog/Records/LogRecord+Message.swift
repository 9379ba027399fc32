import CRDKafka
import IntentEvents
import IntentRuntime

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension LogRecord {
    /// Copies a record from one of librdkafka's messages.
    init(_ message: UnsafeMutablePointer<rd_kafka_message_t>, topics: inout TopicNames) {
        let content = message.pointee
        self.init(
            topicPartition: TopicPartition(topics.name(of: content.rkt), Int(content.partition)),
            offset: content.offset,
            timestamp: rd_kafka_message_timestamp(message, nil),
            content: Self.content(of: message)
        )
    }

    /// The key, value and headers of a message, copied into one buffer; null stays null, and empty stays empty.
    private static func content(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> RecordContent {
        var list: OpaquePointer?
        let headers = rd_kafka_message_headers(message, &list).isSuccess ? list : nil
        let count = headers.map(rd_kafka_header_cnt) ?? 0
        return withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer?.self, capacity: 2 + 2 * count) { parts in
            parts.initializeElement(at: 0, to: Self.part(message.pointee.key, message.pointee.key_len))
            parts.initializeElement(at: 1, to: Self.part(message.pointee.payload, message.pointee.len))
            for index in 0..<count {
                var name: UnsafePointer<CChar>?
                var value: UnsafeRawPointer?
                var size = 0
                _ = rd_kafka_header_get_all(headers, index, &name, &value, &size)
                let text = UnsafeRawBufferPointer(start: name, count: name.map { strlen($0) } ?? 0)
                parts.initializeElement(at: 2 + 2 * index, to: text)
                parts.initializeElement(at: 3 + 2 * index, to: Self.part(value, size))
            }
            // Pointers need no deinitialization.
            return RecordContent(copying: UnsafeBufferPointer(parts))
        }
    }

    private static func part(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer? {
        start.map { UnsafeRawBufferPointer(start: $0, count: count) }
    }
}
