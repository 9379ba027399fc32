import CoreMetrics
import IntentKit
import Tracing

/// The handlers of the package that built the program: what it serves besides files and, where configured, sample apps.
struct HandlerSources: Sendable {
    /// Its extensions.
    var own: [IntentExtension] = []
    /// Its presenters.
    var ownPresentation: [IntentUIExtension] = []
    /// Opens ledgers at addresses of its scheme; nil when there is only SQLite.
    var ledger: LedgerSource?
    /// Its metrics backend; nil for `/metrics`.
    var metrics: (any MetricsFactory)?
    /// Its tracer; nil to send spans to a collector.
    var tracer: (any Tracer)?

    /// The sources of the running program.
    @TaskLocal static var current = HandlerSources()
}
