/// The 32 bytes of a SHA-256, stored inline.
package struct SHA256Digest: Hashable, Sendable {
    // Their bytes in memory are the digest's, whatever the machine's byte order.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    package var bytes: [UInt8] { withUnsafeBytes(of: self.words) { Array($0) } }

    /// The first 64 bits, as a number with the first byte highest.
    package var firstBits: UInt64 { self.numbers.0 }

    /// The bytes as four numbers, each with its first byte highest.
    package var numbers: (UInt64, UInt64, UInt64, UInt64) {
        (
            UInt64(bigEndian: self.words.0), UInt64(bigEndian: self.words.1),
            UInt64(bigEndian: self.words.2), UInt64(bigEndian: self.words.3)
        )
    }

    /// Appends lower-case hexadecimal text: two digits for each of the first bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes, 32 at most.
    ///   - text: The text to append to.
    package func writeHex(_ count: Int = SHA256.byteCount, to text: inout [UInt8]) {
        let digits: StaticString = "0123456789abcdef"
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * SHA256.byteCount) { hex in
            withUnsafeBytes(of: self.words) { bytes in
                for index in 0..<count {
                    hex[2 * index] = digits.utf8Start[Int(bytes[index] >> 4)]
                    hex[2 * index + 1] = digits.utf8Start[Int(bytes[index] & 0x0F)]
                }
            }
            text.append(contentsOf: hex[..<(2 * count)])
        }
    }

    /// Lower-case hexadecimal text of the first bytes.
    package func hex(_ count: Int = SHA256.byteCount) -> String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 2 * count) { text in
            withUnsafeBytes(of: self.words) { bytes in
                for index in 0..<count {
                    text[2 * index] = digits.utf8Start[Int(bytes[index] >> 4)]
                    text[2 * index + 1] = digits.utf8Start[Int(bytes[index] & 0x0F)]
                }
            }
            return 2 * count
        }
    }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.words == rhs.words }

    package func hash(into hasher: inout Hasher) { withUnsafeBytes(of: self.words) { hasher.combine(bytes: $0) } }
}
