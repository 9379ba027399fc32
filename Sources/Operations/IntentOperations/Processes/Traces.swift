internal import CoreMetrics
internal import IntentRuntime
internal import Logging
internal import OTLPTraces
internal import ServiceLifecycle
internal import Telemetry
internal import Tracing

struct Traces: Sendable {
    /// Traces the turns of all stages.
    let turns: TurnTracing
    /// Sends the spans to a collector; nothing for a package with a tracer of its own.
    let services: [any Service]

    /// Starts to trace, as configured.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - worker: The worker's name.
    ///   - factory: The metrics backend; nil for none.
    /// - Returns: nil when the configuration names no share of requests.
    static func start(
        _ configuration: Configuration,
        worker: String,
        factory: (any MetricsFactory)?
    ) -> Traces? {
        guard let share = configuration.traceShare else { return nil }
        let sampler = TraceSampler(share: share)
        if let tracer = HandlerSources.current.tracer {
            return Traces(turns: TurnTracing(tracer: tracer, sampler: sampler), services: [])
        }
        let endpoint = configuration.text(.tracingEndpoint) ?? ""
        let logger = configuration.logger("intentd.tracing")
        let queue = SpanQueue()
        let exporter = OTLPExporter(
            endpoint: endpoint,
            encoding: OTLPEncoding(
                resource: [
                    "service.name": "intentd", "service.namespace": configuration.prefix,
                    "service.version": ProgramVersion.number, "service.instance.id": worker,
                ],
                version: ProgramVersion.number
            ),
            queue: queue,
            factory: factory ?? NOOPMetricsHandler.instance,
            logger: logger
        )
        logger.info("Tracing requests", metadata: [TelemetryKey.address: "\(endpoint)"])
        return Traces(
            turns: TurnTracing(tracer: OTLPTracer(queue: queue), sampler: sampler),
            services: [exporter]
        )
    }
}
