extension OutgoingRecord {
    /// The size of a Kafka record batch (version 2) that holds this record alone: what `max.message.bytes` limits.
    package var batchSize: Int {
        // Attributes, and a delta of 0 for timestamp and offset, take a byte each.
        var body = 3 + Self.size(of: self.key) + Self.size(of: self.value) + Self.varintSize(self.headers.count)
        for header in self.headers {
            let name = header.name.utf8.count
            body += Self.varintSize(name) + name + Self.size(of: header.value)
        }
        return 61 + Self.varintSize(body) + body
    }

    private static func size(of bytes: [UInt8]?) -> Int {
        bytes.map { Self.varintSize($0.count) + $0.count } ?? Self.varintSize(-1)
    }

    /// The size of a zigzag varint.
    private static func varintSize(_ value: Int) -> Int {
        let zigzag = UInt(bitPattern: (value << 1) ^ (value >> (Int.bitWidth - 1)))
        return max(1, (Int.bitWidth - zigzag.leadingZeroBitCount + 6) / 7)
    }
}
