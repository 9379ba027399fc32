package enum RecorderMetric: String, CaseIterable, Sendable {
    case records = "intentd.recorder.records"
    case duration = "intentd.recorder.transaction.duration"

    /// The metric's description, for `# HELP`.
    package var help: String {
        switch self {
        case .records: "Records written to the record database."
        case .duration: "Duration of recording a batch."
        }
    }
}
