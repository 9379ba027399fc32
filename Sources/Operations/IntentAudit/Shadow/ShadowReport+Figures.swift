package import IntentKit

extension ShadowReport {
    /// By how much numbers change, in the interactions of one group (R44).
    package struct Figures: Hashable, Sendable {
        /// The number of interactions in which both values are numbers of this unit.
        package var count: Int
        package var least: NumberChange
        /// The middle one; of two, the lower.
        package var median: NumberChange
        package var most: NumberChange
        /// A currency's code, or `s` for durations; empty for plain numbers.
        package var unit: String

        /// The figures for `--json`.
        package var json: JSONValue {
            [
                "count": .integer(Int64(self.count)), "least": self.least.json, "median": self.median.json,
                "most": self.most.json, "unit": .string(self.unit),
            ]
        }
    }

    /// A decimal number, exact: changes of amounts have no binary fractions.
    package struct NumberChange: Hashable, Sendable, Comparable {
        /// The number without its point.
        fileprivate var digits: Int64
        /// How many of the digits are behind the point.
        fileprivate var scale: Int

        fileprivate init(digits: Int64, scale: Int) {
            self.digits = digits
            self.scale = scale
        }

        /// Reads a decimal number, `-12.50`; nil for one with an exponent or with more digits than 64 bits hold.
        fileprivate init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, let digits = Int64(parts.joined()) else { return nil }
            self.init(digits: digits, scale: parts.count == 2 ? parts[1].count : 0)
        }

        package static func < (first: Self, second: Self) -> Bool { first.value < second.value }

        /// The difference of two numbers, with as many decimals as the more exact of them; nil where 64 bits do not hold
        /// it.
        fileprivate static func - (first: Self, second: Self) -> Self? {
            let scale = max(first.scale, second.scale)
            guard let one = first.digits(at: scale), let other = second.digits(at: scale) else { return nil }
            let (difference, overflow) = one.subtractingReportingOverflow(other)
            return overflow ? nil : Self(digits: difference, scale: scale)
        }

        private func digits(at scale: Int) -> Int64? {
            var digits = self.digits
            for _ in self.scale..<scale {
                let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                digits = product
            }
            return digits
        }

        private var value: Double {
            (0..<self.scale).reduce(Double(self.digits)) { value, _ in value / 10 }
        }

        /// The number with its sign: `+4.00`.
        package var text: String {
            let digits = String(self.digits.magnitude)
            let padded = String(repeating: "0", count: max(0, self.scale + 1 - digits.count)) + digits
            let whole = padded.dropLast(self.scale)
            let fraction = padded.suffix(self.scale)
            return (self.digits < 0 ? "-" : "+") + whole + (fraction.isEmpty ? "" : ".\(fraction)")
        }

        /// The number for `--json`.
        package var json: JSONValue { self.scale == 0 ? .integer(self.digits) : .number(self.value) }
    }
}

extension ShadowDifference {
    /// By how much a number, an amount or a duration changes, with its unit; nil for anything else, for masked values,
    /// and for another unit.
    var change: (change: ShadowReport.NumberChange, unit: String)? {
        guard self.then == self.rawThen, self.now == self.rawNow, let then = self.then.flatMap(Self.number),
            let now = self.now.flatMap(Self.number), then.unit == now.unit, let change = now.number - then.number
        else { return nil }
        return (change, then.unit)
    }

    private static func number(_ value: JSONValue) -> (number: ShadowReport.NumberChange, unit: String)? {
        switch value {
        case .integer(let number): return (ShadowReport.NumberChange(digits: number, scale: 0), "")
        case .number(let number): return ShadowReport.NumberChange("\(number)").map { ($0, "") }
        case .object:
            return INCurrencyAmount(json: value)
                .flatMap { amount in ShadowReport.NumberChange(amount.amount).map { ($0, amount.currencyCode) } }
        case .string(let text):
            guard let seconds = TimeSpan(text)?.seconds, let milliseconds = Int64(exactly: (seconds * 1_000).rounded())
            else { return nil }
            return milliseconds % 1_000 == 0
                ? (ShadowReport.NumberChange(digits: milliseconds / 1_000, scale: 0), "s")
                : (ShadowReport.NumberChange(digits: milliseconds, scale: 3), "s")
        case .null, .bool, .array: return nil
        }
    }
}

extension ShadowReport.Figures {
    /// The figures of differences at one place, each of so many interactions; nil where there is no number, or more than
    /// one unit.
    init?(_ differences: [ShadowDifference: Int]) {
        var changes: [(change: ShadowReport.NumberChange, count: Int)] = []
        var units: Set<String> = []
        for (difference, count) in differences {
            guard let (change, unit) = difference.change else { continue }
            changes.append((change, count))
            units.insert(unit)
        }
        changes.sort { $0.change < $1.change }
        guard units.count == 1, let unit = units.first, let first = changes.first, let last = changes.last else {
            return nil
        }
        let count = changes.reduce(0) { $0 + $1.count }
        var before = 0
        let median = changes.first { change in
            before += change.count
            return before * 2 >= count
        }
        self.init(
            count: count,
            least: first.change,
            median: median?.change ?? first.change,
            most: last.change,
            unit: unit
        )
    }
}
