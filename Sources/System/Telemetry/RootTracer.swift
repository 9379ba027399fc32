package import Tracing

/// A tracer that starts a trace with ids that its caller has chosen.
package protocol RootTracer: Tracer {
    /// Starts a span without a parent.
    ///
    /// - Parameters:
    ///   - name: The span's name.
    ///   - context: Its ids.
    ///   - instant: When it began.
    /// - Returns: The span.
    func startRoot(_ name: String, as context: TraceContext, at instant: DefaultTracerClock.Timestamp) -> any Tracing
        .Span
}
