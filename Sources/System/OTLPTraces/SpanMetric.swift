/// What is counted of spans.
package enum SpanMetric: String, CaseIterable, Sendable {
    case exported = "intentd.spans.exported"
    case dropped = "intentd.spans.dropped"

    /// The description, for `# HELP`.
    package var help: String {
        switch self {
        case .exported: "Spans that a collector has taken."
        case .dropped: "Spans that were given up: there was no room for them, or the collector refused them."
        }
    }
}
