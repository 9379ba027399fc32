import CRDKafka
import IntentEvents
import IntentRuntime

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension LogRecord {
    /// Copies a record out of one of librdkafka's messages.
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
        let key = Self.part(message.pointee.key, message.pointee.key_len)
        let value = Self.part(message.pointee.payload, message.pointee.len)
        var list: OpaquePointer?
        let headers = rd_kafka_message_headers(message, &list).isSuccess ? list : nil
        var size = 8 + (key?.count ?? 0) + (value?.count ?? 0)
        Self.forEachHeader(of: headers) { name, value in size += 8 + name.count + (value?.count ?? 0) }
        var writer = RecordContentWriter(capacity: size)
        writer.append(part: key)
        writer.append(part: value)
        Self.forEachHeader(of: headers) { name, value in
            writer.append(part: name)
            writer.append(part: value)
        }
        return writer.content
    }

    private static func part(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer? {
        start.map { UnsafeRawBufferPointer(start: $0, count: count) }
    }

    private static func forEachHeader(
        of list: OpaquePointer?,
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) -> Void
    ) {
        guard let list else { return }
        for index in 0..<rd_kafka_header_cnt(list) {
            var name: UnsafePointer<CChar>?
            var value: UnsafeRawPointer?
            var size = 0
            _ = rd_kafka_header_get_all(list, index, &name, &value, &size)
            body(UnsafeRawBufferPointer(start: name, count: name.map { strlen($0) } ?? 0), Self.part(value, size))
        }
    }
}
