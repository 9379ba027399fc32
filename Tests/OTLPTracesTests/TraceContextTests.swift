import Telemetry
import Testing

@Suite("W3C's trace contexts")
struct TraceContextTests {
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test("R66: traceparent is read and written; tracestate is kept as it came")
    func readsAndWritesTraceparent() throws {
        let context = try #require(TraceContext(headers: ["traceparent": Self.parent, "tracestate": "a=1,b=2"]))
        #expect(context.trace.text == "0af7651916cd43dd8448eb211c80319c")
        #expect(context.span == 0xb7ad_6b71_6920_3331)
        #expect(context.isSampled)
        #expect(context.headers == ["traceparent": Self.parent, "tracestate": "a=1,b=2"])
        #expect(try #require(TraceContext(parent: Self.parent)).headers == ["traceparent": Self.parent])
    }

    @Test("R66: only the lowest flag says that a trace is sampled", arguments: ["00", "02", "fe"])
    func lowestFlagIsSampled(flags: String) throws {
        let context = try #require(TraceContext(parent: Self.parent.dropLast(2) + flags))
        #expect(!context.isSampled)
    }

    @Test("R66: a later version is read, whatever follows its four parts", arguments: ["", "-", "-what-ever"])
    func readsLaterVersions(rest: String) {
        #expect(TraceContext(parent: "cc" + Self.parent.dropFirst(2) + rest)?.span == 0xb7ad_6b71_6920_3331)
    }

    @Test(
        "R66: an invalid traceparent is ignored",
        arguments: [
            "", "00", Self.parent.uppercased(), Self.parent + "-", Self.parent + "00", String(Self.parent.dropLast()),
            "ff" + Self.parent.dropFirst(2), "0" + Self.parent, "cc" + Self.parent.dropFirst(2) + "x",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01",
            "00-0af7651916cd43dd8448eb211c80319é-b7ad6b7169203331-1",
        ]
    )
    func refusesInvalidTraceparent(parent: String) {
        #expect(TraceContext(parent: parent) == nil)
        #expect(TraceContext(headers: ["traceparent": parent]) == nil)
    }

    @Test("Ids keep their leading zeros, and zero is no id")
    func idsKeepLeadingZeros() throws {
        let context = try #require(TraceContext(trace: TraceID(high: 0, low: 1), span: 0xA, isSampled: false))
        #expect(context.parent == "00-00000000000000000000000000000001-000000000000000a-00")
        #expect(TraceContext(trace: nil, span: 1, isSampled: true) == nil)
        #expect(TraceContext(trace: TraceID(high: 1, low: 0), span: 0, isSampled: true) == nil)
    }
}
