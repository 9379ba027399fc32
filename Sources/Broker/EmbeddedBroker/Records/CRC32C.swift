import CChecksum

/// The checksum of record batches: CRC-32C (Castagnoli, RFC 3720), by the processor's instruction or else
/// slicing-by-eight.
enum CRC32C {
    private static let hasInstruction = checksum_has_crc32c()

    /// Eight tables of 256 entries, one after the other.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82f6_3b78 : value >> 1 }
            tables[index] = value
        }
        for index in 256..<(8 * 256) {
            let before = tables[index - 256]
            tables[index] = (before >> 8) ^ tables[Int(before & 0xff)]
        }
        return tables
    }()

    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard self.hasInstruction, let start = bytes.baseAddress else { return self.sliced(bytes) }
        return checksum_crc32c(0xffff_ffff, start, bytes.count) ^ 0xffff_ffff
    }

    /// The checksum of the bytes, on any processor.
    static func sliced(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        self.tables.withUnsafeBufferPointer { table in
            var crc: UInt32 = 0xffff_ffff
            var index = 0
            while index &+ 8 <= bytes.count {
                let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)) ^ crc
                let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index &+ 4, as: UInt32.self))
                crc =
                    table[7 &* 256 &+ Int(low & 0xff)] ^ table[6 &* 256 &+ Int((low >> 8) & 0xff)]
                    ^ table[5 &* 256 &+ Int((low >> 16) & 0xff)] ^ table[4 &* 256 &+ Int(low >> 24)]
                crc ^=
                    table[3 &* 256 &+ Int(high & 0xff)] ^ table[2 &* 256 &+ Int((high >> 8) & 0xff)]
                    ^ table[256 &+ Int((high >> 16) & 0xff)] ^ table[Int(high >> 24)]
                index &+= 8
            }
            while index < bytes.count {
                crc = (crc >> 8) ^ table[Int((crc ^ UInt32(bytes[index])) & 0xff)]
                index &+= 1
            }
            return crc ^ 0xffff_ffff
        }
    }
}
