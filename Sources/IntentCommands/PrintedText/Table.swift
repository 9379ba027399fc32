/// Columns of text under their headings.
struct Table {
    /// The headings; those that begin with `>` stand above numbers, which are set flush right.
    private let headings: [String]
    private let isNumber: [Bool]
    private var rows: [[String]] = []

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
    mutating func add(_ cells: [String]) {
        self.rows.append(cells)
    }

    /// The lines, headings first.
    var lines: [String] {
        let all = [self.headings] + self.rows
        let widths = self.headings.indices.map { column in
            all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += self.isNumber[column] ? padding + cell : cell + padding
                line += "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
