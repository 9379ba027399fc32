import NIOCore
import Testing

@testable import EmbeddedBroker

struct WireTests {
    @Test func doesNotTrustLengths() {
        for bytes in [[0x7f, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xfe], [0, 0, 0, 9, 1]] as [[UInt8]] {
            var reader = WireReader(ByteBuffer(bytes: bytes), isFlexible: false)
            #expect(throws: WireError.invalidLength) { try reader.nullableBytes() }
            var array = WireReader(ByteBuffer(bytes: bytes), isFlexible: false)
            #expect(throws: WireError.invalidLength) { try array.int32Array() }
        }
        var compact = WireReader(ByteBuffer(bytes: [0xff, 0xff, 0xff, 0xff, 0x0f]), isFlexible: true)
        #expect(throws: WireError.invalidLength) { try compact.string() as String }
        var endless = WireReader(ByteBuffer(bytes: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), isFlexible: true)
        #expect(throws: WireError.invalidLength) { try endless.unsignedVarint() }
        var text = WireReader(ByteBuffer(bytes: [0, 1, 0xff]), isFlexible: false)
        #expect(throws: WireError.invalidText) { try text.string() as String }
    }

    @Test(arguments: [false, true]) func readsWhatItWrites(isFlexible: Bool) throws {
        var writer = WireWriter(ByteBuffer(), isFlexible: isFlexible)
        writer.write("text")
        writer.write(String?.none)
        writer.write(ByteBuffer(string: "bytes"))
        writer.write([Int32(1), -1])
        writer.write(["a", "b"] as [String]?)
        writer.write(TopicID(high: 1, low: .max))
        writer.write(true)
        writer.tags()
        var reader = WireReader(writer.buffer, isFlexible: isFlexible)
        #expect(try reader.string() == "text")
        #expect(try reader.nullableString() as String? == nil)
        #expect(try reader.bytes() == ByteBuffer(string: "bytes"))
        #expect(try reader.int32Array() == [1, -1])
        #expect(try reader.stringArray() == ["a", "b"])
        #expect(try reader.uuid() == TopicID(high: 1, low: .max))
        #expect(try reader.bool())
        try reader.tags()
        #expect(reader.remaining == 0)
    }

    @Test func skipsUnknownTaggedFields() throws {
        var reader = WireReader(ByteBuffer(bytes: [2, 0, 1, 9, 5, 2, 8, 7, 42]), isFlexible: true)
        try reader.tags()
        #expect(try reader.int8() == 42)
    }

    @Test("A frame cannot become many times its size in memory")
    func boundsElementsInMemory() throws {
        let count = WireReader.maxElements
        func request(_ topics: Int) -> ByteBuffer {
            var writer = WireWriter(ByteBuffer(), isFlexible: true)
            writer.writeUnsignedVarint(UInt32(topics + 1))
            for _ in 0..<topics { writer.write("" as String?) }
            writer.tags()
            return writer.buffer
        }
        var fits = WireReader(request(count), isFlexible: true)
        #expect(try DescribeTransactionsRequest(from: &fits, version: 0).transactionalIDs.count == count)
        var exceeds = WireReader(request(count + 1), isFlexible: true)
        #expect(throws: WireError.tooManyElements) { try DescribeTransactionsRequest(from: &exceeds, version: 0) }
        var writer = WireWriter(ByteBuffer(), isFlexible: true)
        writer.write(String(repeating: "x", count: 32_768) as String?)
        var long = WireReader(writer.buffer, isFlexible: true)
        #expect(throws: WireError.invalidLength) { try long.string() as String }
    }

    @Test func refusesUnknownAPIsAndVersions() throws {
        func header(_ key: Int16, _ version: Int16) throws -> RequestHeader {
            var writer = WireWriter(ByteBuffer(), isFlexible: false)
            writer.write(key)
            writer.write(version)
            writer.write(Int32(7))
            writer.write("me")
            var reader = WireReader(writer.buffer, isFlexible: false)
            return try RequestHeader(from: &reader)
        }
        #expect(throws: WireError.unknownAPI(999)) { try header(999, 0) }
        #expect(throws: WireError.unsupportedVersion(api: .metadata, version: 99)) { try header(3, 99) }
        #expect(try header(3, 1).clientID == "me")
        #expect(try header(18, 99).correlationID == 7)
    }

    @Test(arguments: ApiKey.allCases) func garbageNeverParsesAsRequest(api: ApiKey) {
        var generator = SystemRandomNumberGenerator()
        for version in api.versions {
            for length in 0..<64 {
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                var reader = WireReader(ByteBuffer(bytes: bytes), isFlexible: api.isFlexible(version))
                // It may parse or throw; it may not trap, and it may not consume more bytes than there are.
                _ = try? Request(api, from: &reader, version: version)
                #expect(reader.remaining >= 0)
            }
        }
    }

    @Test func apiVersionsResponseUsesOldHeader() {
        let envelope = ResponseEnvelope(
            api: .apiVersions,
            version: 3,
            correlationID: 7,
            body: ApiVersionsResponse.supported()
        )
        var frame = ByteBuffer()
        envelope.write(to: &frame)
        #expect(frame.getInteger(at: 0, as: Int32.self) == Int32(frame.readableBytes - 4))
        #expect(frame.getInteger(at: 4, as: Int32.self) == 7)
        #expect(frame.getInteger(at: 8, as: Int16.self) == 0)
        #expect(frame.getInteger(at: 10, as: UInt8.self) == UInt8(ApiKey.allCases.count + 1))
    }
}
