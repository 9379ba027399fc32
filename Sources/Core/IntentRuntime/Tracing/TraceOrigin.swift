internal import Telemetry

/// The context from which a turn's spans descend.
struct TraceOrigin {
    /// The span that they are in, and its trace.
    var context: TraceContext
    /// Whether the client sent it; otherwise the span is `interaction`, which the request's first turn makes.
    var isClients: Bool
}
