import Testing

@testable import OTLPTraces

@Suite("Messages in the wire format of Protocol Buffers")
struct ProtobufWriterTests {
    @Test("Varints take as many bytes as they need, seven bits in each, the lowest first")
    func varintsUseSevenBitsPerByte() {
        var writer = ProtobufWriter()
        writer.varint(1, 150)
        writer.varint(16, 0)
        writer.varint(2, .max)
        #expect(writer.bytes == [0x08, 0x96, 0x01, 0x80, 0x01, 0x00, 0x10] + Array(repeating: 0xFF, count: 9) + [0x01])
    }

    @Test("Numbers of fixed size are little-endian")
    func fixedNumbersAreLittleEndian() {
        var writer = ProtobufWriter()
        writer.fixed64(7, 0x0102_0304_0506_0708)
        writer.fixed32(16, 0x0102_0304)
        #expect(writer.bytes == [0x39, 8, 7, 6, 5, 4, 3, 2, 1, 0x85, 0x01, 4, 3, 2, 1])
    }

    @Test("Texts and messages follow their length")
    func textsAndMessagesFollowTheirLength() {
        var writer = ProtobufWriter()
        writer.message(3) { $0.text(2, "testing") }
        #expect(writer.bytes == [0x1A, 0x09, 0x12, 0x07] + Array("testing".utf8))
    }
}
