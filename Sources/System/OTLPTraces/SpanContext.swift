package import Telemetry
internal import Tracing

/// A span that others can descend from or link to.
package struct SpanContext: Hashable, Sendable {
    /// The span.
    package var context: TraceContext
    /// Whether another process made it.
    package var isRemote: Bool

    /// The span's number in its trace.
    package var span: UInt64 { self.context.span }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = SpanContext
        static var nameOverride: String? { "intentd-span" }
    }

    /// The span in which something happens.
    var spanContext: SpanContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
