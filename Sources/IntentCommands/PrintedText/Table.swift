/// Columns of text under their headings.
struct Table {
    /// How a cell stands out.
    typealias Style = (String) -> String

    private struct Row {
        var cells: [String]
        var styles: [Int: Style] = [:]
    }

    /// The headings; those that begin with `>` stand above numbers, which are set flush right.
    private let headings: [String]
    private let isNumber: [Bool]
    private var rows: [Row] = []

    /// Makes a table without rows.
    init(_ headings: String...) { self.init(headings) }

    /// Makes a table without rows.
    init(_ headings: [String]) {
        self.isNumber = headings.map { $0.hasPrefix(">") }
        self.headings = headings.map { $0.hasPrefix(">") ? String($0.dropFirst()) : $0 }
    }

    /// Adds a row.
    mutating func add(_ cells: String...) { self.add(cells) }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - cells: The texts, whoever wrote them: a cell stays on its line and steers no terminal.
    ///   - styles: How cells stand out where there are colours, by column.
    mutating func add(_ cells: [String], styles: [Int: Style] = [:]) {
        self.rows.append(Row(cells: cells.map(SafeText.line), styles: styles))
    }

    /// The lines, headings first.
    var lines: [String] { self.lines(within: nil) }

    /// The lines as they fit: where a row is too long for the width, all rows go on in a further line, at the same column.
    ///
    /// A cell is never broken, so that an id can be taken from it as it is.
    func lines(within width: Int?) -> [String] {
        let rows = [Row(cells: self.headings)] + self.rows
        let widths = self.headings.indices.map { column in
            rows.map { column < $0.cells.count ? TextWidth.columns(of: $0.cells[column]) : 0 }.max() ?? 0
        }
        let groups = Self.groups(widths, within: width ?? .max)
        return rows.flatMap { row in groups.map { self.line(of: row, $0, widths, isFirst: $0.lowerBound == 0) } }
    }

    /// Prints it: on a terminal within its width, headings fainter than what stands below.
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
            let padding = String(repeating: " ", count: widths[column] - TextWidth.columns(of: cell))
            let shown = row.styles[column]?(cell) ?? cell
            line += self.isNumber[column] ? padding + shown : shown + padding
            line += "  "
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
