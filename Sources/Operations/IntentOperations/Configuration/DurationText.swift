/// Durations as people write them: `100ms`, `30s`, `5m`, `24h`, `7d`, or several of them as in `1h30m`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Reads a duration; nil when the text is none, or the duration is longer than 100 years.
    package static func read(_ text: String) -> Duration? {
        var total: Int64 = 0
        var rest = text[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(letters.count)
            guard let count = Int64(digits), count <= 3_155_760_000_000,
                let unit = Self.units.first(where: { $0.name == letters })
            else { return nil }
            let (part, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflow, part <= 3_155_760_000_000 - total else { return nil }
            total += part
        }
        return .milliseconds(total)
    }

    /// Writes a duration in the largest unit that holds it exactly.
    package static func write(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        let unit = Self.units.first { milliseconds >= $0.milliseconds && milliseconds % $0.milliseconds == 0 }
        guard let unit else { return "\(milliseconds)ms" }
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }
}
