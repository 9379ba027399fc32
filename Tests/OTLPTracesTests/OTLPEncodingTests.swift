import Telemetry
import Testing
import Tracing

@testable import OTLPTraces

/// Checked byte by byte where it matters here; `Tests/Judges/traces.py` decodes it with the official definitions.
@Suite("Spans as an ExportTraceServiceRequest")
struct OTLPEncodingTests {
    private static let encoding = OTLPEncoding(resource: ["service.name": "s"], version: "1")

    private static func request(_ change: (inout SpanRecord) -> Void = { _ in }) throws -> [UInt8] {
        let context = try #require(
            TraceContext(parent: "00-000102030405060708090a0b0c0d0e0f-0102030405060708-01")
        )
        var span = SpanRecord(context: context, parent: nil, name: "n", kind: .consumer, start: 1, end: 2)
        change(&span)
        return Self.encoding.request([span])
    }

    @Test("A span's fields have their numbers")
    func spanFieldsHaveTheirNumbers() throws {
        let span: [UInt8] =
            [0x0A, 16] + Array(0...15) + [0x12, 8] + Array(1...8) + [0x2A, 1, UInt8(ascii: "n"), 0x30, 5]
            + [0x39, 1, 0, 0, 0, 0, 0, 0, 0, 0x41, 2, 0, 0, 0, 0, 0, 0, 0, 0x85, 0x01, 1, 1, 0, 0]
        let scope: [UInt8] = [0x0A, 12, 0x0A, 7] + Array("intentd".utf8) + [0x12, 1, UInt8(ascii: "1")]
        let scopeSpans = scope + [0x12, UInt8(span.count)] + span
        let pair: [UInt8] = [0x0A, 12] + Array("service.name".utf8) + [0x12, 3, 0x0A, 1, UInt8(ascii: "s")]
        let resource: [UInt8] = [0x0A, UInt8(pair.count + 2), 0x0A, UInt8(pair.count)] + pair
        let resourceSpans = resource + [0x12, UInt8(scopeSpans.count)] + scopeSpans
        #expect(try Self.request() == [0x0A, UInt8(resourceSpans.count)] + resourceSpans)
    }

    @Test(
        "A link says whether its own span is of another process, whatever the parent is",
        arguments: [true, false],
        [nil, true, false]
    )
    func linkSaysWhetherItIsRemote(isRemote: Bool, isParentRemote: Bool?) throws {
        let linked = try #require(TraceContext(parent: "00-101112131415161718191a1b1c1d1e1f-1112131415161718-01"))
        let bytes = try Self.request { span in
            span.parent = isParentRemote.map { SpanContext(context: linked, isRemote: $0) }
            span.links = [.init(spanContext: SpanContext(context: linked, isRemote: isRemote), attributes: [:])]
        }
        // The link's ids, and its flags (6): sampled, known to be remote or not, remote.
        let link: [UInt8] =
            [0x0A, 16] + Array(0x10...0x1F) + [0x12, 8] + Array(0x11...0x18) + [0x35, 1, isRemote ? 3 : 1, 0, 0]
        let field = [0x6A, UInt8(link.count)] + link
        #expect(bytes.indices.contains { bytes[$0...].starts(with: field) })
        let flags: [UInt8] = [0x85, 0x01, 1, isParentRemote == true ? 3 : 1, 0, 0]
        #expect(bytes.suffix(flags.count).elementsEqual(flags))
    }

    @Test("The same span gives the same bytes, in whatever order its attributes were set")
    func sameSpanGivesSameBytes() throws {
        let names = (0..<20).map { "a\($0)" }
        func bytes(_ names: [String]) throws -> [UInt8] {
            try Self.request { span in for name in names { span.attributes[name] = name } }
        }
        #expect(try bytes(names) == bytes(names.reversed()))
    }

    @Test("Each type of attribute is written as its own")
    func attributesKeepTheirTypes() throws {
        func contains(_ part: [UInt8], _ value: SpanAttribute) throws -> Bool {
            let bytes = try Self.request { $0.attributes.set("k", value: value) }
            let wanted: [UInt8] = [0x0A, 1, UInt8(ascii: "k"), 0x12, UInt8(part.count)] + part
            return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
        }
        #expect(try contains([0x0A, 1, UInt8(ascii: "v")], .string("v")))
        #expect(try contains([0x10, 1], .bool(true)))
        #expect(try contains([0x18, 7], .int32(7)))
        #expect(try contains([0x18] + Array(repeating: 0xFF, count: 9) + [1], .int64(-1)))
        #expect(try contains([0x21, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F], .double(1)))
        #expect(try contains([0x2A, 8, 0x0A, 2, 0x18, 1, 0x0A, 2, 0x18, 2], .int64Array([1, 2])))
        #expect(try contains([0x2A, 5, 0x0A, 3, 0x0A, 1, UInt8(ascii: "v")], .stringArray(["v"])))
        #expect(try contains([0x0A, 1, UInt8(ascii: "5")], .stringConvertible(5)))
    }
}
