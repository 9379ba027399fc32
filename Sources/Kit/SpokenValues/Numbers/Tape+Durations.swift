/// A number of units of time.
struct TimeAmount: Hashable {
    var number: Quantity
    var unit: TimeUnit
}

/// Durations.
extension Tape {
    /// Amounts in descending units: `2 hours and 5 minutes`, `an hour and a half`, `1h30`.
    func amounts(at start: Int) -> Found<[TimeAmount]>? {
        guard let first = self.amount(at: start) else { return nil }
        var amounts = [first.value]
        var index = first.end
        while let last = amounts.last {
            if let half = self.andHalf(at: index), last.number.divisor == 1,
                let number = last.number.plus(half.value.count, of: half.value.of)
            {
                amounts[amounts.count - 1].number = number
                index = half.end
                break
            }
            let next = self.skipping(.and, from: index)
            if let more = self.amount(at: next), more.value.unit < last.unit {
                amounts.append(more.value)
                index = more.end
            } else if let trailing = self.trailing(at: next, after: last.unit) {
                amounts.append(trailing.value)
                index = trailing.end
                break
            } else {
                break
            }
        }
        return Found(amounts, end: index)
    }

    /// A number and a unit: `20 min`, `half an hour`, `three quarters of an hour`, `Viertelstunde`.
    private func amount(at start: Int) -> Found<TimeAmount>? {
        // `half an hour`, `une demi-heure`, `media hora`, `eine halbe Stunde`
        let article = self[start]?.number == 1 || self.has(.the, at: start) ? start + 1 : start
        for index in article == start ? [start] : [article, start] {
            if let found = self.fraction(at: index), let unit = self.unit(at: found.end, isAfterFraction: true) {
                let number = Quantity(found.value.count, divisor: found.value.of)
                return Found(TimeAmount(number: number, unit: unit.value), end: unit.end)
            }
        }
        if let unit = self[start]?.unit, let half = self.andHalf(at: start + 1), half.value.count == 1 {
            // `hora y media`
            let number = Quantity(half.value.of + 1, divisor: half.value.of)
            return Found(TimeAmount(number: number, unit: unit), end: half.end)
        }
        guard let number = self.number(at: start, hasSuffix: false) else { return nil }
        var index = number.end
        // `5 and a half minutes`, `one and three quarter hours`
        if let half = self.andHalf(at: index), let unit = self.unit(at: half.end, isAfterFraction: true),
            let sum = number.value.plus(half.value.count, of: half.value.of)
        {
            return Found(TimeAmount(number: sum, unit: unit.value), end: unit.end)
        }
        if self[index]?.unit == nil { index = self.skipping(.about, .extra, from: index) }
        guard let unit = self.unit(at: index, isAfterFraction: false) else { return nil }
        return Found(TimeAmount(number: number.value, unit: unit.value), end: unit.end)
    }

    /// A count of halves, thirds or quarters.
    func fraction(at start: Int) -> Found<(count: Int, of: Int)>? {
        var index = start
        var count = 1
        if let number = self[start].flatMap({ $0.number ?? ($0.count == 1 ? $0.digits : nil) }),
            self[start + 1]?.fraction != nil
        {
            count = number
            index += 1
        }
        guard let of = self[index]?.fraction, (1..<10).contains(count) else { return nil }
        return Found((count, of), end: index + 1)
    }

    /// "and a half", `et demie`, `y media`, `und eine halbe`, "and three quarters".
    func andHalf(at start: Int) -> Found<(count: Int, of: Int)>? {
        guard self.has(.and, at: start) else { return nil }
        var index = start + 1
        if self[index]?.number == 1, self[index + 1]?.fraction != nil { index += 1 }
        return self.fraction(at: index)
    }

    private func unit(at start: Int, isAfterFraction: Bool) -> Found<TimeUnit>? {
        var index = start
        if isAfterFraction {
            index = self.skipping(.of, from: index)
            if let article = self[index], article.number == 1 || article.has(.the), self[index + 1]?.unit != nil {
                index += 1
            }
        }
        guard let unit = self[index]?.unit else { return nil }
        return Found(unit, end: index + 1)
    }

    /// `1h30`, "2 hours ten": minutes after hours, seconds after minutes.
    private func trailing(at start: Int, after unit: TimeUnit) -> Found<TimeAmount>? {
        let smaller: TimeUnit
        switch unit {
        case .hour: smaller = .minute
        case .minute: smaller = .second
        default: return nil
        }
        if let lexeme = self[start], let digits = lexeme.digits, lexeme.count <= 2, digits < 60 {
            return Found(TimeAmount(number: Quantity(digits), unit: smaller), end: start + 1)
        }
        guard let number = self.cardinal(at: start), (1..<60).contains(number.value) else { return nil }
        return Found(TimeAmount(number: Quantity(number.value), unit: smaller), end: number.end)
    }
}

extension [TimeAmount] {
    /// The whole units that the amounts make, with smaller units for fractions; nil when a fraction has none.
    var normalized: [(count: Int, unit: TimeUnit)]? {
        var parts: [(count: Int, unit: TimeUnit)] = []
        for amount in self {
            var unit = amount.unit
            var number = amount.number
            if unit == .fortnight {
                guard let doubled = number.times(2) else { return nil }
                (number, unit) = (doubled, .week)
            }
            while number.whole == nil {
                guard let (smaller, factor) = unit.smaller, let rest = number.times(factor) else { return nil }
                // A fraction has no decimals, and decimals have no divisor.
                let scale = rest.decimals == 0 ? rest.divisor : Quantity.power(rest.decimals)
                guard let (unitScale, isOver) = scale.map({ $0.multipliedReportingOverflow(by: factor) }), !isOver
                else { return nil }
                let count = rest.digits / unitScale
                if count > 0 { parts.append((count, unit)) }
                number = Quantity(rest.digits - count * unitScale, decimals: rest.decimals, divisor: rest.divisor)
                unit = smaller
            }
            guard let whole = number.whole, whole != 0 || parts.isEmpty else { continue }
            if let last = parts.last, last.unit == unit {
                parts[parts.count - 1].count += whole
            } else {
                parts.append((whole, unit))
            }
        }
        return parts
    }
}

extension TimeUnit {
    /// The next smaller unit, and how many of them it has; nil where that varies or there is none.
    fileprivate var smaller: (TimeUnit, Int)? {
        switch self {
        case .minute: (.second, 60)
        case .hour: (.minute, 60)
        case .day: (.hour, 24)
        case .week: (.day, 7)
        case .year: (.month, 12)
        case .quarter: (.month, 3)
        case .second, .month, .fortnight: nil
        }
    }
}
