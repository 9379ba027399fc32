internal import Telemetry
package import Tracing
import Synchronization

/// A span that goes to the queue when it ends.
package final class OTLPSpan: Span {
    /// The context of spans in this one.
    package let context: ServiceContext
    private let queue: SpanQueue?
    /// What is known of it; nil when it has ended, or is not recorded.
    private let record: Mutex<SpanRecord?>

    init(_ record: SpanRecord, in context: ServiceContext, queue: SpanQueue) {
        var context = context
        context.spanContext = SpanContext(context: record.context, isRemote: false)
        self.context = context
        self.queue = queue
        self.record = Mutex(record)
    }

    /// Makes a span that is not recorded, nor are those in it.
    init(unrecordedIn context: ServiceContext) {
        self.context = context
        self.queue = nil
        self.record = Mutex(nil)
    }

    package var operationName: String {
        get { self.record.withLock { $0?.name ?? "" } }
        set { self.record.withLock { $0?.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { self.record.withLock { $0?.attributes ?? [:] } }
        set { self.record.withLock { $0?.attributes = newValue } }
    }

    /// Whether it is recorded and has not ended.
    package var isRecording: Bool { self.record.withLock { $0 != nil } }

    package func setStatus(_ status: SpanStatus) { self.record.withLock { $0?.status = status } }

    package func addEvent(_ event: SpanEvent) { self.record.withLock { $0?.events.append(event) } }

    /// Records an error: its type, and not its text, which may have a user's values.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes[TelemetryKey.exceptionType] = String(describing: type(of: error))
        self.addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    /// Links another span; one of another tracer has no ids that are known here.
    package func addLink(_ link: SpanLink) {
        guard let spanContext = link.context.spanContext else { return }
        self.record.withLock { $0?.links.append(.init(spanContext: spanContext, attributes: link.attributes)) }
    }

    /// Ends it; nothing changes it afterwards.
    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        guard var record = self.record.withLock({ $0.take() }) else { return }
        record.end = max(record.start, end)
        self.queue?.add(record)
    }
}
