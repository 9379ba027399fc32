/// Reads times of day as people write them: `7pm`, `7:30 pm`, `19.30`, `19 Uhr 30`, `noon`.
enum SpokenTime {
    /// The time as it stands on the wire, `HH:mm`; nil for what is none.
    static func read(_ words: [String]) -> String? {
        switch words {
        case ["noon"], ["midday"], ["mittag"], ["mittags"]: return "12:00"
        case ["midnight"], ["mitternacht"], ["mitternachts"]: return "00:00"
        default: break
        }
        var text = words.joined()
        var half: Half?
        for (suffix, meaning) in Self.halves where text.hasSuffix(suffix) {
            half = meaning
            text.removeLast(suffix.count)
            break
        }
        // `19 uhr` and `19 uhr 30`; without one of these marks a number alone is no time.
        let isHour = text.hasSuffix("uhr") || text.hasSuffix("h")
        for mark in ["uhr", "h", "."] { text = Self.replacing(mark, in: text) }
        if isHour, text.hasSuffix(":") { text.removeLast() }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.count > 1 || half != nil || isHour,
            parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            var hour = Int(parts[0]), parts.dropFirst().allSatisfy({ $0.utf8.count == 2 && (Int($0) ?? 60) < 60 })
        else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == .afternoon ? 12 : 0)
        }
        guard hour < 24 else { return nil }
        let rest = parts.count == 1 ? ":00" : parts.dropFirst().map { ":\($0)" }.joined()
        return SpokenDay.two(hour) + rest
    }

    private enum Half { case morning, afternoon }

    private static let halves: [(String, Half)] = [
        ("a.m.", .morning), ("p.m.", .afternoon), ("am", .morning), ("pm", .afternoon),
    ]

    private static func replacing(_ mark: String, in text: String) -> String {
        text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: ":")
    }
}
