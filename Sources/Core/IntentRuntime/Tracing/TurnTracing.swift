package import Tracing
internal import IntentEvents
internal import Telemetry

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
