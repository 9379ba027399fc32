/// Distances, counts, and the nth of a period.
extension MomentGrammar {
    /// "In three weeks", "two hours ago", "three days after Easter", "two Sundays from now".
    mutating func readShift() -> Bool {
        guard self.slots.shift == nil, let first = self.lexeme(self.index) else { return false }
        if first.has(.ago) || first.has(.inside) || first.has(.within) {
            let start = self.tape.skipping(.about, .the, from: self.index + 1)
            if let amounts = self.amounts(at: start) {
                // `in 8 Uhr` is none.
                let isWithin = first.has(.within)
                if isWithin { self.slots.bound = .within }
                let end = self.tape.skipping(.about, from: amounts.end)
                self.slots.shift = Slots.Shift(
                    amounts: amounts.value,
                    sign: first.has(.ago) && !isWithin ? -1 : 1,
                    isFromNow: true
                )
                self.index = min(end, self.end)
                return true
            }
        }
        if let number = self.tape.cardinal(at: self.index).map({ ($0.value, $0.end) })
            ?? first.digits.map({ ($0, self.index + 1) }), (1...500).contains(number.0),
            let weekday = self.lexeme(number.1)?.weekdayOrSeveral, let mark = self.lexeme(number.1 + 1),
            mark.has(.ago) || mark.has(.fromNow)
        {
            self.slots.shift = Slots.Shift(
                amounts: [TimeAmount(number: Quantity(number.0), unit: .week)],
                sign: mark.has(.ago) ? -1 : 1,
                weekday: weekday,
                isFromNow: true
            )
            self.index = number.1 + 2
            return true
        }
        if self.readDayBeside() { return true }
        guard let amounts = self.amounts(at: self.index), let mark = self.lexeme(amounts.end) else { return false }
        let isLast = amounts.end + 1 == self.end
        // `15 Minuten vor 12` is a time.
        if mark.has(.ago) && (isLast || !mark.has(.upTo)) || mark.has(.fromNow) && (isLast || !mark.has(.after)) {
            self.slots.shift = Slots.Shift(amounts: amounts.value, sign: mark.has(.ago) ? -1 : 1, isFromNow: true)
        } else if mark.has(.after) || mark.has(.before) || mark.has(.from) && !mark.has(.of), !isLast,
            self.isDay(amounts.end + 1)
        {
            self.slots.shift = Slots.Shift(
                amounts: amounts.value,
                sign: mark.has(.before) && !mark.has(.after) ? -1 : 1,
                isFromNow: false
            )
        } else {
            return false
        }
        self.index = amounts.end + 1
        return true
    }

    /// "The day before Christmas", `am Tag nach Ostern`.
    private mutating func readDayBeside() -> Bool {
        guard self.lexeme(self.index)?.unit == .day, let mark = self.lexeme(self.index + 1),
            mark.has(.before) || mark.has(.after), self.isDay(self.index + 2)
        else { return false }
        self.slots.shift = Slots.Shift(
            amounts: [TimeAmount(number: Quantity(1), unit: .day)],
            sign: mark.has(.before) ? -1 : 1,
            isFromNow: false
        )
        self.index += 2
        return true
    }

    private func amounts(at start: Int) -> Found<[TimeAmount]>? {
        guard start < self.end, let amounts = self.tape.amounts(at: start), amounts.end <= self.end else { return nil }
        return amounts
    }

    /// Whether a day follows, rather than an hour.
    private func isDay(_ index: Int) -> Bool {
        let next = self.tape.skipping(.the, .on, .of, from: index)
        guard let lexeme = self.lexeme(next) else { return false }
        return lexeme.isOfCalendar || self.tape.holiday(lexeme) != nil || lexeme.selection != nil || lexeme.has(.now)
            || lexeme.ordinal != nil || lexeme.digits != nil && self.lexeme(next + 1)?.month != nil
    }

    /// "The next three days", "two last weeks", `3 semanas que vienen`.
    mutating func readCount() -> Bool {
        guard self.slots.count == nil, let first = self.lexeme(self.index) else { return false }
        var sign = 0
        var index = self.index
        if let selection = first.selection {
            sign = selection.offset
            index += 1
        }
        guard let number = self.tape.number(at: index), let count = number.value.whole, (1...10_000).contains(count)
        else { return false }
        index = number.end
        if sign == 0, let selection = self.lexeme(index)?.selection {
            sign = selection.offset
            index += 1
        }
        guard let unit = self.lexeme(index)?.unit else { return false }
        index += 1
        if sign == 0, let selection = self.lexeme(index)?.selection {
            sign = selection.offset
            index += 1
        }
        guard sign == 1 || sign == -1, index <= self.end else { return false }
        self.slots.count = Slots.Count(number: count, unit: unit, sign: sign)
        self.index = index
        return true
    }

    /// "The second Monday", "last day of", "third quarter", "third last week", `2018Q4`.
    mutating func readNth() -> Bool {
        guard self.slots.nth == nil, let first = self.lexeme(self.index) else { return false }
        var nth = 0
        var index = self.index
        if let ordinal = self.tape.ordinal(at: index, withPoint: self.tape.language.habits.saysUnitsBeforeTens),
            ordinal.end < self.end, (1...53).contains(ordinal.value)
        {
            nth = ordinal.value
            index = ordinal.end
            if self.lexeme(index)?.selection == .last {
                nth = -nth
                index += 1
            }
        } else if first.selection == .last {
            nth = -1
            index += 1
        } else {
            return false
        }
        guard let name = self.lexeme(index), index < self.end else { return false }
        // Only before "of October": "last Monday" alone is relative to today.
        let isOfPeriod = self.isPeriod(after: index + 1)
        if let weekday = name.weekday, self.slots.weekday == nil, isOfPeriod || (1...5).contains(nth) {
            self.slots.weekday = weekday
            // "The first Sunday" is one of this month or the next.
            if !isOfPeriod { self.slots.periods.append(Slots.Period(unit: .month)) }
        } else if name.has(.weekend), isOfPeriod {
            self.slots.isWeekend = true
        } else if let unit = name.unit, unit == .day || unit == .week || unit == .fortnight, isOfPeriod {
            self.slots.nthUnit = unit
        } else if name.unit == .quarter, nth > 0, nth < 5 {
            self.slots.nthUnit = .quarter
        } else {
            return false
        }
        self.slots.nth = nth
        self.index = index + 1
        // "The third Tuesday after Christmas"
        if self.has(.after, self.index), self.tape.holiday(self.lexeme(self.index + 1)) != nil { self.index += 1 }
        return true
    }

    /// Whether a month, a year, a holiday or another period follows, with a word between.
    private func isPeriod(after start: Int) -> Bool {
        let index = self.tape.skipping(.of, .inside, .the, .on, .after, from: start)
        guard index > start || self.lexeme(index)?.month != nil, let lexeme = self.lexeme(index) else { return false }
        if let unit = lexeme.unit { return unit >= .week }
        if lexeme.selection != nil { return self.lexeme(index + 1)?.unit.map { $0 >= .week } ?? false }
        return lexeme.month != nil || self.tape.holiday(lexeme) != nil || lexeme.count == 4
    }
}
