import IntentLab
import MessageGenerator
import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// The bytes come from the definitions by other code than the generator's.
@Suite("Messages are read and written as their definitions say")
struct MessageDefinitionTests {
    private static func messages(_ api: ApiKey) throws -> [(
        MessageDefinition, any (WireDecodable & WireEncodable).Type
    )] {
        let found = try GeneratedFiles(package: GeneratedFilesTests.package).apis
            .first { $0.request.apiKey == api.rawValue }
        let (request, response) = try #require(found)
        return [(request, api.requestType), (response, api.responseType)]
    }

    /// What is written of a message that was read from the bytes; nothing may be left.
    private static func copy(
        _ bytes: ByteBuffer,
        _ type: any (WireDecodable & WireEncodable).Type,
        version: Int16,
        isFlexible: Bool
    ) throws -> ByteBuffer {
        var reader = WireReader(bytes, isFlexible: isFlexible)
        let message = try type.init(from: &reader, version: version)
        #expect(reader.remaining == 0)
        var writer = WireWriter(ByteBuffer(), isFlexible: isFlexible)
        message.write(to: &writer, version: version)
        return writer.finish()
    }

    @Test("every field in every version", arguments: ApiKey.allCases)
    func fields(api: ApiKey) throws {
        for (message, type) in try Self.messages(api) {
            #expect(api.versions == message.validVersions)
            for version in message.validVersions {
                let isFlexible = message.firstFlexibleVersion.map { version >= $0 } ?? false
                #expect(api.isFlexible(version) == isFlexible)
                for seed in 0..<20 as Range<UInt64> {
                    let plain = MessageBytes.random(message, version, isFlexible: isFlexible, seed: seed)
                    let copy = try Self.copy(plain, type, version: version, isFlexible: isFlexible)
                    #expect(copy == plain, "\(type), version \(version), seed \(seed)")
                    guard isFlexible else { continue }
                    // Tagged fields that the broker does not know are skipped.
                    let tagged = MessageBytes.random(message, version, isFlexible: true, isTagged: true, seed: seed)
                    #expect(try Self.copy(tagged, type, version: version, isFlexible: true) == plain)
                }
            }
        }
    }

    @Test("what ends early is refused", arguments: ApiKey.allCases)
    func ends(api: ApiKey) throws {
        for (message, type) in try Self.messages(api) {
            for version in message.validVersions {
                let isFlexible = api.isFlexible(version)
                let bytes = MessageBytes.random(message, version, isFlexible: isFlexible, seed: 1)
                for count in 0..<bytes.readableBytes {
                    var reader = WireReader(bytes.getSlice(at: 0, length: count) ?? bytes, isFlexible: isFlexible)
                    let read = try? type.init(from: &reader, version: version)
                    #expect(read == nil, "\(type), version \(version), \(count) of \(bytes.readableBytes) bytes")
                }
            }
        }
    }
}

/// A message with random values, made from its definition as Kafka's guide to the protocol says.
private struct MessageBytes {
    private var buffer = ByteBuffer()
    private var numbers: SeededNumbers
    private let kind: MessageDefinition.Kind
    private let version: Int16
    private let isFlexible: Bool
    private let isTagged: Bool

    static func random(
        _ message: MessageDefinition,
        _ version: Int16,
        isFlexible: Bool,
        isTagged: Bool = false,
        seed: UInt64
    ) -> ByteBuffer {
        var bytes = MessageBytes(
            numbers: SeededNumbers(seed: seed),
            kind: message.kind,
            version: version,
            isFlexible: isFlexible,
            isTagged: isTagged
        )
        bytes.write(message.fields)
        return bytes.buffer
    }

    private mutating func write(_ fields: [MessageDefinition.Field]) {
        for field in fields where field.versions.contains(self.version) {
            self.write(field.type, mayBeNull: field.nullableVersions?.contains(self.version) ?? false)
        }
        if self.isFlexible { self.buffer.writeBytes(self.isTagged ? [1, 99, 2, 0, 7] : [0]) }
    }

    private mutating func write(_ type: MessageDefinition.FieldType, mayBeNull: Bool = false) {
        // The broker writes no null for records.
        var isNull = mayBeNull && self.numbers.oneIn(4)
        if case .records = type, self.kind == .response { isNull = false }
        switch type {
        case .bool: self.buffer.writeInteger(UInt8(self.numbers.below(2)))
        case .integer(let bits): self.random(bits / 8)
        case .errorCode: self.random(2)
        case .uuid: self.random(16)
        case .string:
            let text = self.numbers.pick(["", "t", "Größe", "\u{212A}", String(repeating: "n", count: 200)])
            self.length(isNull ? nil : text.utf8.count, bits: 16)
            if !isNull { self.buffer.writeString(text) }
        case .bytes, .records:
            let count = isNull ? nil : self.numbers.pick([0, 1, 300])
            self.length(count, bits: 32)
            self.random(count ?? 0)
        case .array(let element):
            let count = isNull ? nil : self.numbers.below(3)
            self.length(count, bits: 32)
            for _ in 0..<(count ?? 0) { self.write(element) }
        case .structure(_, let fields): self.write(fields)
        }
    }

    private mutating func random(_ count: Int) {
        for _ in 0..<count { self.buffer.writeInteger(UInt8(self.numbers.below(256))) }
    }

    private mutating func length(_ count: Int?, bits: Int) {
        if !self.isFlexible {
            if bits == 16 {
                self.buffer.writeInteger(Int16(count ?? -1))
            } else {
                self.buffer.writeInteger(Int32(count ?? -1))
            }
            return
        }
        var rest = count.map { $0 + 1 } ?? 0
        while rest >= 128 {
            self.buffer.writeInteger(UInt8(rest % 128 + 128))
            rest /= 128
        }
        self.buffer.writeInteger(UInt8(rest))
    }
}
