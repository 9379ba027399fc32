package import CoreMetrics
package import IntentKit
package import Tracing

/// What the program was built with: what it serves besides files.
package struct HandlerSources: Sendable {
    package var own: [IntentExtension] = []
    package var ownPresentation: [IntentUIExtension] = []
    /// The sample apps, which are served only where configured (R65), by the one of them that sends messages
    /// (`messages.app`); empty for a program without them.
    package var samples: [String: [IntentExtension]] = [:]
    package var samplePresentation: [IntentUIExtension] = []
    /// Opens ledgers at addresses of its scheme; nil when there is only SQLite.
    package var ledger: LedgerSource?
    /// Its metrics backend; nil for `/metrics`.
    package var metrics: (any MetricsFactory)?
    /// Its tracer; nil to send spans to a collector.
    package var tracer: (any Tracer)?

    package init(
        own: [IntentExtension] = [],
        ownPresentation: [IntentUIExtension] = [],
        samples: [String: [IntentExtension]] = [:],
        samplePresentation: [IntentUIExtension] = [],
        ledger: LedgerSource? = nil,
        metrics: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) {
        self.own = own
        self.ownPresentation = ownPresentation
        self.samples = samples
        self.samplePresentation = samplePresentation
        self.ledger = ledger
        self.metrics = metrics
        self.tracer = tracer
    }

    /// The sources of the running program.
    @TaskLocal package static var current = HandlerSources()
}
