package import Telemetry
package import Tracing

/// A span that has ended.
package struct SpanRecord: Sendable {
    /// A link to another span.
    package struct Link: Sendable {
        /// That span.
        package var place: SpanPlace
        /// What is said of the link.
        package var attributes: SpanAttributes
    }

    /// Its ids.
    package var context: TraceContext
    /// The span that it is in; nil for the first one of a trace.
    package var parent: SpanPlace?
    /// Its name.
    package var name: String
    /// Its kind.
    package var kind: SpanKind
    /// When it began, in nanoseconds since 1970.
    package var start: UInt64
    /// When it ended, in nanoseconds since 1970.
    package var end: UInt64
    /// What is said of it.
    package var attributes: SpanAttributes = [:]
    /// What happened in it.
    package var events: [SpanEvent] = []
    /// The spans that it is linked to.
    package var links: [Link] = []
    /// Whether it failed; nil if nobody has said.
    package var status: SpanStatus?
}
