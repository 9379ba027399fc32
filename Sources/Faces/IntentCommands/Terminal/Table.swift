import IntentOperations

/// Columns of text under their headings.
struct Table {
    typealias Style = (String) -> String

    private struct Row {
        var cells: [String]
        var styles: [Int: Style] = [:]
    }

    /// In terminal columns.
    private static let widestColumn = 100

    /// The headings; those that begin with `>` are above numbers, which are right-aligned.
    private let headings: [String]
    private let isNumber: [Bool]
    private var rows: [Row] = []

    init(_ headings: String...) { self.init(headings) }

    init(_ headings: [String]) {
        self.isNumber = headings.map { $0.hasPrefix(">") }
        self.headings = headings.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
    }

    mutating func add(_ cells: String...) { self.add(cells) }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - cells: The texts, possibly from others: a cell stays on its line and cannot control the terminal.
    ///   - styles: The styles of cells where there are colours, by column.
    mutating func add(_ cells: [String], styles: [Int: Style] = [:]) {
        self.rows.append(Row(cells: cells.map(SafeText.line), styles: styles))
    }

    /// The lines, headings first.
    var lines: [String] { self.lines(within: nil) }

    /// The lines fitted to a width: where a row is too long for it, all rows continue on a further line, at the same
    /// column.
    ///
    /// A cell is never broken, so that an id can be copied from it. One that is wider than ``widestColumn`` widens its
    /// own row only: clients choose texts.
    func lines(within width: Int?) -> [String] {
        let rows = [Row(cells: self.headings)] + self.rows
        let widths = self.headings.indices.map { column in
            rows.map { column < $0.cells.count ? TextWidth.columns(of: $0.cells[column]) : 0 }
                .filter { $0 <= Self.widestColumn }.max() ?? 0
        }
        let groups = Self.groups(widths, within: width ?? .max)
        return rows.flatMap { row in groups.map { self.line(of: row, $0, widths, isFirst: $0.lowerBound == 0) } }
    }

    /// Prints it: on a terminal within its width, with headings fainter than the rows.
    func show(indent: String = "") {
        let groups = self.lines(within: WordWrap.output.width.map { $0 - indent.count })
        let count = groups.count / (self.rows.count + 1)
        for (index, line) in groups.enumerated() {
            StandardOutput.print(indent + (index < count ? TextStyle.output.faint(line) : line))
        }
    }

    /// The columns that share a line.
    private static func groups(_ widths: [Int], within width: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var start = 0
        var taken = 0
        for (column, own) in widths.enumerated() {
            let room = groups.isEmpty ? width : width - 2
            if column > start, taken + own > room {
                groups.append(start..<column)
                start = column
                taken = 0
            }
            taken += own + 2
        }
        return groups + [start..<widths.count]
    }

    private func line(of row: Row, _ columns: Range<Int>, _ widths: [Int], isFirst: Bool) -> String {
        var line = isFirst ? "" : "  "
        for column in columns where column < row.cells.count {
            let cell = row.cells[column]
            let padding = String(repeating: " ", count: max(widths[column] - TextWidth.columns(of: cell), 0))
            let shown = row.styles[column]?(cell) ?? cell
            line += self.isNumber[column] ? padding + shown : shown + padding
            line += "  "
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
