/// What a recorder measures.
package enum RecorderMetric: String, CaseIterable, Sendable {
    case records = "intentd.recorder.records"
    case duration = "intentd.recorder.transaction.duration"

    /// The metric's description, for `# HELP`.
    package var help: String {
        switch self {
        case .records: "Records that were recorded."
        case .duration: "How long a batch took to be recorded."
        }
    }
}
