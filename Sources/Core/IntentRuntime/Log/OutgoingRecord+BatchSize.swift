internal import IntentEvents

extension OutgoingRecord {
    /// The size of a Kafka record batch (version 2) that holds this record alone: what `max.message.bytes` limits.
    package var batchSize: Int {
        self.content.withParts { parts in
            // Attributes, and a delta of 0 for timestamp and offset, take one byte each.
            var body = 3 + Self.size(of: parts.key) + Self.size(of: parts.value)
            var count = 0
            parts.forEachHeader { name, value in
                count += 1
                body += Self.size(of: name) + Self.size(of: value)
            }
            body += Self.varintSize(count)
            return 61 + Self.varintSize(body) + body
        }
    }

    private static func size(of bytes: UnsafeBufferPointer<UInt8>?) -> Int {
        bytes.map { Self.varintSize($0.count) + $0.count } ?? Self.varintSize(-1)
    }

    /// The size of a zigzag varint.
    private static func varintSize(_ value: Int) -> Int {
        let zigzag = UInt(bitPattern: (value << 1) ^ (value >> (Int.bitWidth - 1)))
        return max(1, (Int.bitWidth - zigzag.leadingZeroBitCount + 6) / 7)
    }
}
