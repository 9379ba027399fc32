import IntentEvents
import IntentRuntime

/// The size of a record as Kafka counts it: `max.message.bytes` is compared with it.
enum RecordSize {
    /// The size of a version 2 record batch that holds this record alone.
    static func batch(_ record: OutgoingRecord) -> Int {
        // Attributes, timestamp delta 0 and offset delta 0 take a byte each.
        var body = 3
        body += Self.bytes(record.key)
        body += Self.bytes(record.value)
        body += Self.varint(record.headers.count)
        for header in record.headers {
            body += Self.varint(header.name.utf8.count) + header.name.utf8.count + Self.bytes(header.value)
        }
        return 61 + Self.varint(body) + body
    }

    private static func bytes(_ bytes: [UInt8]?) -> Int {
        guard let bytes else { return Self.varint(-1) }
        return Self.varint(bytes.count) + bytes.count
    }

    /// The size of a zigzag varint.
    private static func varint(_ value: Int) -> Int {
        var rest = UInt(bitPattern: (value << 1) ^ (value >> (Int.bitWidth - 1))) >> 7
        var size = 1
        while rest > 0 {
            size += 1
            rest >>= 7
        }
        return size
    }
}
