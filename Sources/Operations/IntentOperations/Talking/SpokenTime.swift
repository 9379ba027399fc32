/// Reads times of day as people write them: `7pm`, `7:30 pm`, `19.30`, `19 Uhr 30`, `noon`.
enum SpokenTime {
    /// The time in its form on the wire, `HH:mm`; nil for other text.
    static func read(_ words: [String]) -> String? {
        switch words {
        case ["noon"], ["midday"], ["mittag"], ["mittags"]: return "12:00"
        case ["midnight"], ["mitternacht"], ["mitternachts"]: return "00:00"
        default: break
        }
        var words = words
        var half: Half?
        for (phrase, meaning) in Self.dayparts
        where words.count > phrase.count && words.suffix(phrase.count) == phrase[...] {
            half = meaning
            words.removeLast(phrase.count)
            break
        }
        let isDaypart = half != nil
        var text = words.joined()
        for (suffix, meaning) in Self.halves where !isDaypart && text.hasSuffix(suffix) {
            half = meaning
            text.removeLast(suffix.count)
            break
        }
        // `19 uhr` and `19 uhr 30`; without one of these marks a number alone is not a time.
        let isHour = text.hasSuffix("uhr") || text.hasSuffix("h")
        for mark in ["uhr", "h", "."] { text = Self.replacing(mark, in: text) }
        if isHour, text.hasSuffix(":") { text.removeLast() }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.count > 1 || half != nil || isHour,
            parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            var hour = Int(parts[0]), parts.dropFirst().allSatisfy({ $0.utf8.count == 2 && (Int($0) ?? 60) < 60 })
        else { return nil }
        if let half, !isDaypart || hour <= 12 {
            // Twelve in the evening may be meant for either twelve.
            guard (1...12).contains(hour), half != .evening || hour != 12 else { return nil }
            hour = hour % 12 + (half == .morning ? 0 : 12)
        } else if half == .morning {
            return nil
        }
        guard hour < 24 else { return nil }
        let rest = parts.count == 1 ? ":00" : parts.dropFirst().map { ":\($0)" }.joined()
        return SpokenDay.two(hour) + rest
    }

    private enum Half { case morning, afternoon, evening }

    private static let halves: [(String, Half)] = [
        ("a.m.", .morning), ("p.m.", .afternoon), ("am", .morning), ("pm", .afternoon),
    ]

    /// Parts of the day that are said after a time, in either clock: `8 in the evening`, `19 Uhr abends`.
    private static let dayparts: [([String], Half)] = [
        (["in", "the", "morning"], .morning), (["in", "the", "afternoon"], .afternoon),
        (["in", "the", "evening"], .evening), (["morgens"], .morning), (["vormittags"], .morning),
        (["früh"], .morning), (["nachmittags"], .afternoon), (["abends"], .evening),
    ]

    private static func replacing(_ mark: String, in text: String) -> String {
        text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: ":")
    }
}
