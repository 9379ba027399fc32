internal import IntentKit

/// Whole texts as values.
extension Tape {
    /// Whole numbers; an ordinal is one, too.
    func integers() -> [Int] {
        let start = self.skipping(.about, .the, from: 0)
        if let ordinal = self.ordinal(at: start, withPoint: true), ordinal.end == self.end { return [ordinal.value] }
        return self.wholes(at: start).filter { $0.divisor == 1 }.compactMap(\.whole)
    }

    /// Numbers with their fractions.
    func decimals() -> [Double] { self.wholes(at: self.skipping(.about, from: 0)).map(\.double) }

    /// The numbers that the rest of the text is.
    private func wholes(at start: Int) -> [Quantity] {
        let numbers = self.numbers(at: start)
        let whole = numbers.filter { self.skipping(.of, .about, from: $0.end) == self.end }.map(\.value)
        if !whole.isEmpty { return whole }
        if let fraction = self.lastFraction(at: start) { return [fraction] }
        guard let first = numbers.first else { return [] }
        // `two and a half`, `forty-five (45)`, `one twenty two`
        if self.has(.and, at: first.end), let half = self.lastFraction(at: first.end + 1),
            let sum = first.value.plus(half.digits, of: half.divisor)
        {
            return [sum]
        }
        guard let second = self.number(at: first.end), second.end == self.end, let one = first.value.whole,
            let two = second.value.whole
        else { return [] }
        if one == two { return [first.value] }
        let isSpoken = self[start]?.digits == nil && self[first.end]?.digits == nil
        return isSpoken && self.language.habits.saysPairs && (1...9).contains(one) && (20...99).contains(two)
            ? [Quantity(one * 100 + two)] : []
    }

    /// A fraction in words at the end: "half", "a quarter", "three quarters".
    private func lastFraction(at start: Int) -> Quantity? {
        let isOne = self[start]?.number == 1 && self[start + 1]?.fraction != nil
        guard let found = self.fraction(at: isOne ? start + 1 : start), found.end == self.end else { return nil }
        return Quantity(found.value.count, divisor: found.value.of)
    }

    /// The duration that the text is; nil if it has months or years, which are not equally long.
    func duration() -> TimeSpan? {
        let start = self.skipping(.about, from: 0)
        guard let found = self.amounts(at: start), self.skipping(.about, from: found.end) == self.end else {
            return nil
        }
        var amounts = found.value
        var seconds: String?
        if let last = amounts.last, last.unit == .second, last.number.whole == nil, last.number.digits > 0 {
            seconds = last.number.text
            amounts.removeLast()
            guard seconds != nil else { return nil }
        }
        guard let parts = amounts.normalized else { return nil }
        var date = ""
        var time = ""
        var last: TimeUnit?
        for part in parts {
            // Units come in this order, each once.
            guard last.map({ part.unit < $0 }) ?? true, part.count >= 0 else { return nil }
            last = part.unit
            switch part.unit {
            case .week: date += "\(part.count)W"
            case .day: date += "\(part.count)D"
            case .hour: time += "\(part.count)H"
            case .minute: time += "\(part.count)M"
            case .second: time += "\(part.count)S"
            case .fortnight, .month, .quarter, .year: return nil
            }
        }
        if let seconds {
            guard last.map({ $0 > .second }) ?? true else { return nil }
            time += "\(seconds)S"
        }
        return TimeSpan("P" + date + (time.isEmpty ? "" : "T" + time))
    }
}
