/// The home partition of a user (R1): Java's default partitioner.
package enum HomePartition {
    package static func of(user: UserID, count: Int) -> Int {
        var text = user.text
        return Int(text.withUTF8(Self.murmur2) & 0x7FFF_FFFF) % count
    }

    /// The 32-bit murmur2 of Kafka's Java client (`org.apache.kafka.common.utils.Utils.murmur2`).
    package static func murmur2(_ data: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let multiplier: UInt32 = 0x5BD1_E995
        var hash: UInt32 = 0x9747_B28C ^ UInt32(truncatingIfNeeded: data.count)
        var index = 0
        while index + 4 <= data.count {
            var word =
                UInt32(data[index]) | UInt32(data[index + 1]) << 8 | UInt32(data[index + 2]) << 16
                | UInt32(data[index + 3]) << 24
            word &*= multiplier
            word ^= word >> 24
            word &*= multiplier
            hash &*= multiplier
            hash ^= word
            index += 4
        }
        let rest = data.count - index
        if rest >= 3 { hash ^= UInt32(data[index + 2]) << 16 }
        if rest >= 2 { hash ^= UInt32(data[index + 1]) << 8 }
        if rest >= 1 {
            hash ^= UInt32(data[index])
            hash &*= multiplier
        }
        hash ^= hash >> 13
        hash &*= multiplier
        hash ^= hash >> 15
        return hash
    }
}
