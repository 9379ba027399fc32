import IntentLab
import Testing

@testable import EmbeddedBroker

struct CRC32CTests {
    @Test func matchesStandardCheckValue() {
        let bytes = Array("123456789".utf8)
        #expect(bytes.withUnsafeBytes { CRC32C.checksum($0) } == 0xe306_9283)
        #expect(bytes.withUnsafeBytes { CRC32C.sliced($0) } == 0xe306_9283)
    }

    @Test func matchesRFC3720Examples() {
        // RFC 3720, B.4: 32 bytes of zeros, and of ones.
        #expect([UInt8](repeating: 0, count: 32).withUnsafeBytes { CRC32C.checksum($0) } == 0x8a91_36aa)
        #expect([UInt8](repeating: 0xff, count: 32).withUnsafeBytes { CRC32C.checksum($0) } == 0x62a8_ab43)
    }

    @Test func instructionAndTablesAgreeFromEveryByte() {
        var random = SeededNumbers(seed: 7)
        let bytes = (0..<300).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        bytes.withUnsafeBytes { bytes in
            for start in 0..<16 {
                for end in stride(from: start, through: bytes.count, by: 7) {
                    let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                    #expect(CRC32C.checksum(part) == CRC32C.sliced(part))
                }
            }
        }
    }
}
