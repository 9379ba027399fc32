import Foundation

/// The figures of a run.
struct Report {
    /// One line: a figure of the floor, one of the pipeline, or both.
    struct Row: Codable {
        /// The name of the measurement.
        var name: String
        /// The unit.
        var unit: String
        /// The floor's figure.
        var floor: Double
        /// The pipeline's figure; nil when there is only a floor.
        var value: Double?
        /// The ratio of the pipeline's figure to the floor's.
        var ratio: Double?
    }

    private(set) var rows: [Row] = []
    /// The headings of the two columns.
    var columns = ("floor", "pipeline")

    /// Adds a line.
    mutating func add(_ name: String, _ unit: String, floor: Double, value: Double? = nil) {
        self.rows.append(Row(name: name, unit: unit, floor: floor, value: value, ratio: value.map { $0 / floor }))
    }

    /// The median of some figures.
    static func median(_ figures: [Double]) -> Double {
        let sorted = figures.sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The lines as a Markdown table.
    func table() -> String {
        let head = "| | unit | \(self.columns.0) | \(self.columns.1) | ratio |\n|---|---|---:|---:|---:|"
        let lines = self.rows.map { row in
            let value = row.value.map(Self.text) ?? ""
            let ratio = row.ratio.map(Self.ratio) ?? ""
            return "| \(row.name) | \(row.unit) | \(Self.text(row.floor)) | \(value) | \(ratio) |"
        }
        return ([head] + lines).joined(separator: "\n")
    }

    /// The lines as a JSON array.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(self.rows), as: UTF8.self)
    }

    private static func text(_ figure: Double) -> String {
        String(format: figure < 100 ? "%.1f" : "%.0f", figure)
    }

    private static func ratio(_ figure: Double) -> String { String(format: "%.3f", figure) }
}
