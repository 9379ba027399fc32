/// What is counted of spans.
package enum SpanMetric: String, CaseIterable, Sendable {
    case exported = "intentd.spans.exported"
    case dropped = "intentd.spans.dropped"

    /// The description, for `# HELP`.
    package var help: String {
        switch self {
        case .exported: "Spans accepted by the collector."
        case .dropped: "Spans dropped: the queue was full, or the collector rejected them."
        }
    }
}
