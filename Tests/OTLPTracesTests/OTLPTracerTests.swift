import Telemetry
import Testing
import Tracing

@testable import OTLPTraces

@Suite("The OTLP tracer")
struct OTLPTracerTests {
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private static func context(_ headers: [String: String], of tracer: OTLPTracer) -> ServiceContext {
        var context = ServiceContext.topLevel
        tracer.extract(headers, into: &context, using: TraceHeaders())
        return context
    }

    @Test("R66: a span is a child of the one in the headers, and its own children are below it")
    func spansNestBelowHeadersSpan() throws {
        let queue = SpanQueue()
        let tracer = OTLPTracer(queue: queue)
        let context = Self.context(["traceparent": Self.parent, "tracestate": "a=1"], of: tracer)
        let outer = tracer.startSpan("outer", context: context, ofKind: .consumer)
        let inner = tracer.startSpan("inner", context: outer.context)
        var headers: [String: String] = [:]
        tracer.inject(inner.context, into: &headers, using: TraceHeaders())
        inner.end()
        outer.end()
        let spans = Array(queue.first(.max))
        #expect(spans.map(\.name) == ["inner", "outer"])
        #expect(spans.allSatisfy { $0.context.trace.text == "0af7651916cd43dd8448eb211c80319c" })
        #expect(spans.allSatisfy { $0.context.state == "a=1" })
        #expect(spans[0].parent == SpanContext(context: spans[1].context, isRemote: false))
        #expect(spans[1].parent?.isRemote == true)
        #expect(spans[1].parent?.span == 0xb7ad_6b71_6920_3331)
        #expect(headers == spans[0].context.headers)
        #expect(spans.map(\.kind) == [.internal, .consumer])
    }

    @Test("R66: where the client does not sample nothing is recorded, and its context is passed on")
    func unsampledContextIsPassedOn() {
        let queue = SpanQueue()
        let tracer = OTLPTracer(queue: queue)
        let parent = Self.parent.dropLast(2) + "00"
        let span = tracer.startSpan("a", context: Self.context(["traceparent": String(parent)], of: tracer))
        span.attributes["x"] = 1
        #expect(!span.isRecording)
        #expect(span.attributes.isEmpty)
        var headers: [String: String] = [:]
        tracer.inject(span.context, into: &headers, using: TraceHeaders())
        #expect(headers == ["traceparent": String(parent)])
        span.end()
        #expect(queue.first(.max).isEmpty)
    }

    @Test("R66: without a valid context a trace starts; each of its spans has another id")
    func startsTraceWithoutValidContext() throws {
        let queue = SpanQueue()
        let tracer = OTLPTracer(queue: queue)
        let context = Self.context(["traceparent": "what"], of: tracer)
        let ids = (0..<100)
            .map { _ in
                tracer.startSpan("a", context: context).end()
                return queue.first(.max).last?.context
            }
        #expect(Set(ids.map { $0?.trace }).count == 100)
        #expect(Set(ids.map { $0?.span }).count == 100)
        #expect(queue.first(.max).allSatisfy { $0.parent == nil })
    }

    @Test("A root span uses the given ids")
    func rootUsesGivenIDs() throws {
        let queue = SpanQueue()
        let ids = try #require(TraceContext(parent: Self.parent))
        let span = OTLPTracer(queue: queue)
            .startRoot("r", as: ids, at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 7))
        span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 9))
        let record = try #require(queue.first(1).first)
        #expect(record.context == ids)
        #expect(record.parent == nil)
        #expect([record.start, record.end] == [7, 9])
    }

    @Test("A span that has ended does not change, ends once, and never before its start")
    func endedSpanIsImmutable() throws {
        let queue = SpanQueue()
        let span = OTLPTracer(queue: queue)
            .startSpan("a", context: .topLevel, at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 7))
        span.operationName = "b"
        span.setStatus(SpanStatus(code: .error))
        span.addEvent("e")
        struct Secret: Error { var word = "secret" }
        span.recordError(Secret())
        span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 5))
        span.operationName = "c"
        span.addEvent("f")
        span.end()
        #expect(!span.isRecording)
        #expect(queue.first(.max).count == 1)
        let record = try #require(queue.first(1).first)
        #expect(record.name == "b")
        #expect(record.end == 7)
        #expect(record.status?.code == .error)
        #expect(record.events.map(\.name) == ["e", "exception"])
        #expect(record.events[1].attributes.get("exception.type") == "Secret")
        #expect(!"\(record)".contains("secret"))
    }

    @Test("R66: the queue is bounded; further spans are dropped and counted")
    func boundsQueueAndCountsDrops() {
        let queue = SpanQueue(limit: 2)
        let tracer = OTLPTracer(queue: queue)
        for name in ["a", "b", "c", "d"] { tracer.startSpan(name, context: .topLevel).end() }
        #expect(queue.first(.max).map(\.name) == ["a", "b"])
        #expect(queue.drainDropped() == 2)
        #expect(queue.drainDropped() == 0)
        queue.removeFirst(1)
        tracer.startSpan("e", context: .topLevel).end()
        #expect(queue.first(.max).map(\.name) == ["b", "e"])
        #expect(queue.first(1).map(\.name) == ["b"])
    }
}
