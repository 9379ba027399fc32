package import Telemetry
package import Tracing

/// A span that has ended.
package struct SpanRecord: Sendable {
    package struct Link: Sendable {
        package var spanContext: SpanContext
        package var attributes: SpanAttributes
    }

    /// Its ids.
    package var context: TraceContext
    /// The span that it is in; nil for the first one of a trace.
    package var parent: SpanContext?
    package var name: String
    package var kind: SpanKind
    /// When it began, in nanoseconds since 1970.
    package var start: UInt64
    /// When it ended, in nanoseconds since 1970.
    package var end: UInt64
    package var attributes: SpanAttributes = [:]
    package var events: [SpanEvent] = []
    package var links: [Link] = []
    /// Whether it failed; nil if that was not set.
    package var status: SpanStatus?
}
