package import Telemetry
package import Tracing

/// Makes spans with W3C's ids, which go to a queue when they end.
package struct OTLPTracer: RootTracer {
    private let queue: SpanQueue

    package init(queue: SpanQueue) {
        self.queue = queue
    }

    /// Starts a span in the one of the context; in none of them, it begins a trace.
    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> OTLPSpan {
        let context = context()
        let parent = context.spanContext
        guard parent?.context.isSampled ?? true, let ids = parent?.context.child(Self.makeID()) ?? Self.makeContext()
        else { return OTLPSpan(unrecordedIn: context) }
        let start = instant().nanosecondsSinceEpoch
        let record = SpanRecord(
            context: ids,
            parent: parent,
            name: operationName,
            kind: kind,
            start: start,
            end: start
        )
        return OTLPSpan(record, in: context, queue: self.queue)
    }

    /// Starts the first span of a trace.
    package func startRoot(
        _ name: String,
        as context: TraceContext,
        at instant: DefaultTracerClock.Timestamp
    ) -> any Tracing.Span {
        let start = instant.nanosecondsSinceEpoch
        let record = SpanRecord(context: context, parent: nil, name: name, kind: .internal, start: start, end: start)
        return OTLPSpan(record, in: .topLevel, queue: self.queue)
    }

    /// Reads `traceparent` and `tracestate`.
    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: TraceContext.parentHeader, from: carrier) else { return }
        let state = extractor.extract(key: TraceContext.stateHeader, from: carrier)
        guard let read = TraceContext(parent: parent, state: state) else { return }
        context.spanContext = SpanContext(context: read, isRemote: true)
    }

    /// Writes `traceparent` and `tracestate`.
    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let spanContext = context.spanContext else { return }
        for (name, value) in spanContext.context.headers { injector.inject(value, forKey: name, into: &carrier) }
    }

    /// Does nothing: what has ended is sent within half a second anyway.
    package func forceFlush() {}

    private static func makeID() -> UInt64 { .random(in: 1...UInt64.max) }

    private static func makeContext() -> TraceContext? {
        let trace = TraceID(high: Self.makeID(), low: Self.makeID())
        return TraceContext(trace: trace, span: Self.makeID(), isSampled: true)
    }
}
