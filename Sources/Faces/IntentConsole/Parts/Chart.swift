internal import IntentEvents
internal import IntentKit

/// A line chart, drawn on the server: no script is needed to see it.
struct Chart {
    struct Line {
        var name: HTML
        /// Its values, the oldest first; nil where there is none.
        var values: [Double?]
    }

    /// A description, for readers who do not see it.
    let title: HTML
    /// The lines, three at most.
    let lines: [Line]
    /// The time of the first value.
    let start: Timestamp
    /// Milliseconds between values.
    let step: Int64
    /// Formats a value.
    let format: (Double) -> HTML

    private static let width = 560.0
    private static let height = 190.0
    private static let left = 44.0
    private static let bottom = 20.0
    private static let top = 8.0

    /// The chart with its legend.
    var html: HTML {
        let top = Self.ceiling(self.lines.flatMap { $0.values.compactMap(\.self) }.max() ?? 0)
        let legend = self.lines.enumerated()
            .map { index, line -> HTML in
                let last = line.values.last.flatMap(\.self).map(self.format) ?? "–"
                return "<li class=\"k\(index + 1)\">\(line.name) <strong class=\"num\">\(last)</strong></li>"
            }
        return """
            <svg class="chart" viewBox="0 0 560 190" role="img" aria-label="\(self.title)">\(self.axes(top))\
            \(self.lines.enumerated().map { self.drawing($1, number: $0 + 1, top: top) })</svg>\
            <ul class="legend">\(legend)</ul>
            """
    }

    private var count: Int { self.lines.map(\.values.count).max() ?? 0 }

    private func x(_ index: Int) -> Double {
        Self.left + (Self.width - Self.left) * Double(index) / Double(max(1, self.count - 1))
    }

    private func y(_ value: Double, _ top: Double) -> Double {
        let room = Self.height - Self.bottom - Self.top
        return Self.top + room * (1 - min(value, top) / top)
    }

    private func axes(_ top: Double) -> HTML {
        var parts: HTML = ""
        for quarter in [0.0, 0.5, 1.0] {
            let y = self.y(top * quarter, top)
            parts += """
                <line class="rule" x1="\(Self.left)" x2="\(Self.width)" y1="\(y)" y2="\(y)"/>\
                <text x="\(Self.left - 8)" y="\(y + 3.5)" text-anchor="end">\(self.format(top * quarter))</text>
                """
        }
        let marks = 4
        for mark in 0...marks {
            let index = (self.count - 1) * mark / marks
            let at = self.start + self.step * Int64(index)
            let anchor: HTML = mark == 0 ? "start" : mark == marks ? "end" : "middle"
            parts += """
                <text x="\(self.x(index))" y="\(Self.height - 4)" text-anchor="\(anchor)">\
                \(String(at.description.dropFirst(11).prefix(5)))</text>
                """
        }
        return parts
    }

    private func drawing(_ line: Line, number: Int, top: Double) -> HTML {
        var path: HTML = ""
        var area: HTML = ""
        var run: [(x: Double, y: Double)] = []
        func end() {
            guard let first = run.first, let last = run.last else { return }
            // A single value between gaps is drawn as a dot.
            if run.count == 1 { path += "M\(first.x - 2) \(first.y)h4" }
            for (index, point) in run.enumerated() where run.count > 1 {
                path += index == 0 ? "M\(point.x) \(point.y)" : "L\(point.x) \(point.y)"
            }
            if run.count > 1 {
                let floor = self.y(0, top)
                area += "M\(first.x) \(floor)"
                for point in run { area += "L\(point.x) \(point.y)" }
                area += "L\(last.x) \(floor)Z"
            }
            run = []
        }
        for (index, value) in line.values.enumerated() {
            if let value { run.append((self.x(index), self.y(value, top))) } else { end() }
        }
        end()
        return "<path class=\"a\(number)\" d=\"\(area)\"/><path class=\"l\(number)\" d=\"\(path)\"/>"
    }

    /// The next round number.
    private static func ceiling(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        var unit = 0.01
        while unit * 10 < value { unit *= 10 }
        for step in [1.0, 2, 4, 5, 8, 10] where unit * step >= value { return unit * step }
        return unit * 10
    }
}
