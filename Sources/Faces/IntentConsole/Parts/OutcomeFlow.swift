internal import IntentAudit
internal import IntentKit

/// How interactions ended and how they would end now, as bands from one to the other.
enum OutcomeFlow {
    private static let height = 240.0
    private static let gap = 14.0
    private static let shown = 10

    static func drawing(_ changes: [ShadowReport.Change], same: Int) -> HTML {
        var counts: [[String]: Int] = [:]
        for change in changes.prefix(Self.shown) {
            counts[[change.then, change.now], default: 0] += change.interactions.count
        }
        let total = counts.values.reduce(0, +)
        guard total > 0 else { return "" }
        let froms = Self.bands(counts, 0, total)
        let tos = Self.bands(counts, 1, total)
        var used: [String: Double] = [:]
        var bands: HTML = ""
        for (pair, count) in counts.sorted(by: { ($1.value, $0.key[0]) < ($0.value, $1.key[0]) }) {
            let width = Self.width(count, total, max(froms.count, tos.count))
            let from = (froms[pair[0]]?.y ?? 0) + used["a" + pair[0], default: 0]
            let to = (tos[pair[1]]?.y ?? 0) + used["b" + pair[1], default: 0]
            used["a" + pair[0], default: 0] += width
            used["b" + pair[1], default: 0] += width
            bands += """
                <path class="band" d="M250 \(from)C390 \(from) 390 \(to) 530 \(to)V\(to + width)\
                C390 \(to + width) 390 \(from + width) 250 \(from + width)Z"><title>\(count): \(pair[0]) to \(pair[1])</title></path>
                """
        }
        let left = froms.map { name, band -> HTML in
            """
            <rect class="node" x="244" y="\(band.y)" width="6" height="\(band.size)"/>\
            <text class="from" text-anchor="end">\(Self.label(name, x: 236, band.y + band.size / 2))</text>
            """
        }
        let right = tos.map { name, band -> HTML in
            """
            <rect class="node" x="530" y="\(band.y)" width="6" height="\(band.size)"/>\
            <text class="to">\(Self.label(name, x: 544, band.y + band.size / 2))</text>
            """
        }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Recorded and current outcomes"><svg class="chart sankey" \
            viewBox="0 0 780 260" role="img" aria-label="\(total) interactions would end differently, \(same) as recorded">\
            \(bands)\(left)\(right)</svg></div>
            """
    }

    /// A name in up to three lines, around that height: there is room for 28 characters in each.
    private static func label(_ name: String, x: Double, _ y: Double) -> HTML {
        var lines: [String] = []
        for word in name.split(separator: " ") {
            if let line = lines.last, line.count + word.count < 28 {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        if lines.count > 3 { lines = [lines[0], lines[1], "\(lines[2]) …"] }
        let top = y + 4 - Double(lines.count - 1) * 7
        return lines.enumerated()
            .map { index, line -> HTML in
                "<tspan x=\"\(x)\" y=\"\(top + Double(index) * 14)\">\(Format.short(line, 30))</tspan>"
            }
            .joined(by: " ")
    }

    private static func width(_ count: Int, _ total: Int, _ nodes: Int) -> Double {
        (Self.height - Self.gap * Double(nodes - 1)) * Double(count) / Double(total)
    }

    private static func bands(_ counts: [[String]: Int], _ side: Int, _ total: Int) -> [String: (
        y: Double, size: Double
    )] {
        let sums = Dictionary(counts.map { ($0.key[side], $0.value) }, uniquingKeysWith: +)
        let others = Set(counts.keys.map { $0[1 - side] }).count
        var y = 10.0
        var bands: [String: (y: Double, size: Double)] = [:]
        for (name, sum) in sums.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            let size = Self.width(sum, total, max(sums.count, others))
            bands[name] = (y, size)
            y += size + Self.gap
        }
        return bands
    }
}
