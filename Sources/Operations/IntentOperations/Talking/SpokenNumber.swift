/// Reads numbers as people write them, with a point or a comma before the fraction.
enum SpokenNumber {
    private static let words = [
        ["zero", "null"], ["one", "a", "an", "eins", "ein", "eine", "einen"], ["two", "zwei"], ["three", "drei"],
        ["four", "vier"], ["five", "fünf"], ["six", "sechs"], ["seven", "sieben"], ["eight", "acht"], ["nine", "neun"],
        ["ten", "zehn"], ["eleven", "elf"], ["twelve", "zwölf"],
    ]

    /// A whole number in digits, or one up to twelve in words.
    static func whole(_ text: String) -> Int64? {
        Int64(text) ?? self.words.firstIndex { $0.contains(text) }.map(Int64.init)
    }

    /// A number in digits, with its fraction after a point: `12,50` gives `12.50`.
    ///
    /// When there are a comma and a point, the last one begins the fraction. A single one before three digits may also
    /// group thousands (`1,000`): such a text is refused as ambiguous.
    static func decimal(_ text: String) -> String? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 0x2C || $0 == 0x2E }) else { return nil }
        let marks = digits.filter { $0 == "," || $0 == "." }
        guard let last = marks.last else {
            return digits.isEmpty ? nil : (isNegative ? "-" : "") + digits
        }
        let parts = digits.split(separator: last, omittingEmptySubsequences: false)
        // The fraction's separator occurs once; the other one groups thousands, with three digits after each.
        guard parts.count == 2, let fraction = parts.last, !fraction.isEmpty else { return nil }
        if marks.count == 1, fraction.count == 3, parts[0] != "0" { return nil }
        let groups = parts[0].split(whereSeparator: { $0 == "," || $0 == "." })
        guard let first = groups.first, groups.count == marks.count, groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.count == 1 || first.count <= 3, !parts[0].hasSuffix(","), !parts[0].hasSuffix(".")
        else { return nil }
        return (isNegative ? "-" : "") + groups.joined() + "." + fraction
    }
}
