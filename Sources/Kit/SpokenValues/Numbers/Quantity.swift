/// An exact number: a whole one, one with decimals, or a fraction.
struct Quantity: Hashable {
    /// The digits without the decimal point.
    var digits: Int
    /// How many of the digits are decimals.
    var decimals = 0
    var divisor = 1

    init(_ digits: Int, decimals: Int = 0, divisor: Int = 1) {
        self.digits = digits
        self.decimals = decimals
        self.divisor = divisor
    }

    /// The value, if it is whole.
    var whole: Int? {
        guard let power = Self.power(self.decimals) else { return nil }
        let (parts, isOver) = power.multipliedReportingOverflow(by: self.divisor)
        return !isOver && self.digits % parts == 0 ? self.digits / parts : nil
    }

    /// The nearest binary number.
    var double: Double {
        // The decimal text is read once, so that 1.1 is the double that everybody writes as 1.1.
        (Double(self.decimalText) ?? 0) / Double(self.divisor)
    }

    /// A decimal number with a point, such as `12.50`; nil for a fraction without an end.
    var text: String? {
        if self.divisor == 1 { return self.decimalText }
        var value = self
        // Halves, quarters and fifths end within a few decimals.
        for _ in 0..<6 {
            if value.digits % value.divisor == 0 {
                return Quantity(value.digits / value.divisor, decimals: value.decimals).decimalText
            }
            let (digits, isOver) = value.digits.multipliedReportingOverflow(by: 10)
            guard !isOver else { return nil }
            value.digits = digits
            value.decimals += 1
        }
        return nil
    }

    private var decimalText: String {
        guard self.decimals > 0 else { return String(self.digits) }
        let all = self.digits.magnitude
        let text = String(all)
        let padded = String(repeating: "0", count: max(0, self.decimals + 1 - text.utf8.count)) + text
        return (self.digits < 0 ? "-" : "") + padded.dropLast(self.decimals) + "." + padded.suffix(self.decimals)
    }

    /// The product; nil beyond the range.
    func times(_ factor: Int) -> Self? {
        var result = self
        var factor = factor
        while result.decimals > 0, factor % 10 == 0 {
            factor /= 10
            result.decimals -= 1
        }
        while result.divisor % 10 == 0, factor % 10 == 0 {
            result.divisor /= 10
            factor /= 10
        }
        let (digits, isOver) = result.digits.multipliedReportingOverflow(by: factor)
        result.digits = digits
        return isOver ? nil : result
    }

    /// The sum with a fraction, for "two and a half"; nil for one with decimals.
    func plus(_ count: Int, of divisor: Int) -> Self? {
        guard let whole = self.whole, whole < 1_000_000 else { return nil }
        return Self(whole * divisor + count, divisor: divisor)
    }

    var negated: Self { Self(-self.digits, decimals: self.decimals, divisor: self.divisor) }

    static func power(_ exponent: Int) -> Int? {
        guard exponent <= 18 else { return nil }
        return (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
