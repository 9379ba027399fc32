internal import IntentEvents
internal import LibCrypto
package import Telemetry
package import Tracing

/// Decides which turns are traced, and starts their spans; all stages of a process share it.
package struct TurnTracing: Sendable {
    let tracer: any Tracer
    private let sampler: TraceSampler

    /// Traces turns.
    ///
    /// - Parameters:
    ///   - tracer: Records the spans.
    ///   - sampler: Decides which traces are recorded, of those that begin here.
    package init(tracer: any Tracer, sampler: TraceSampler) {
        self.tracer = tracer
        self.sampler = sampler
    }

    /// The context of a turn's trace; nil for a turn that is not traced.
    ///
    /// - Parameters:
    ///   - headers: The headers that came with the interaction's request, or with the event of no interaction.
    ///   - deployment: The deployment's random id.
    ///   - position: The position of that request or event.
    /// - Returns: The context, with its source.
    func origin(_ headers: [String: String], deployment: String, position: String) -> TraceOrigin? {
        if let context = TraceContext(headers: headers) {
            return context.isSampled ? TraceOrigin(context: context, isClients: true) : nil
        }
        let context = TraceContext(deployment: deployment, position: position)
        return self.sampler.takes(context.trace) ? TraceOrigin(context: context, isClients: false) : nil
    }

    /// A context as the tracer understands it.
    func serviceContext(_ context: TraceContext) -> ServiceContext {
        var result = ServiceContext.topLevel
        self.tracer.extract(context.headers, into: &result, using: TraceHeaders())
        return result
    }
}

extension TraceContext {
    /// The context of a trace that begins with the event at a position, since its client has sent none (R66).
    ///
    /// The span is the first one, `interaction`.
    ///
    /// - Parameters:
    ///   - deployment: The deployment's random id.
    ///   - position: The position of the interaction's request, `partition:offset`, or the event's own one.
    package init(deployment: String, position: String) {
        var text = "\(deployment)|trace|\(position)"
        let words = text.withUTF8 { SHA256.digest(UnsafeRawBufferPointer($0)) }.numbers
        // No input is known that has 16 bytes of zeros in its digest.
        self.init(trace: TraceID(high: words.0, low: words.1), span: words.2, isSampled: true)!
    }
}

/// The context from which a turn's spans descend.
struct TraceOrigin {
    /// The span that they are in, and its trace.
    var context: TraceContext
    /// Whether the client sent it; otherwise the span is `interaction`, which the request's first turn makes.
    var isClients: Bool
}
