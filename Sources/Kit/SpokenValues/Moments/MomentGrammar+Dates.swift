/// Dates in digits and words.
extension MomentGrammar {
    /// `2026-12-03`, `3.12.`, `12/3/27`, `31/Oct/1974`, `2/2013`, `20 02 2014`.
    mutating func readNumericDate() -> Bool {
        guard self.slots.dayOfMonth == nil, self.slots.month == nil, self.hint != .at || self.has(.on, self.index - 1),
            let first = self.lexeme(self.index), let head = first.digits
        else { return false }
        guard let (second, mark) = self.separated(self.index + 1) else { return false }
        let middle = self.lexeme(second)
        let third = self.separated(second + 1).flatMap { $0.mark == mark ? $0.index : nil }
        let tail = third.flatMap { self.lexeme($0) }
        if let month = middle?.month, mark != " " {
            guard let third, let tail, let last = tail.digits else { return false }
            if first.count == 4 { return self.setDate(day: last, month: month, year: head, end: third + 1) }
            guard head <= 31 else { return false }
            return self.setDate(day: head, month: month, year: Self.year(tail), end: third + 1)
        }
        guard let middle, let number = middle.digits else { return false }
        if let third, let tail, let last = tail.digits, mark == " " ? tail.count != 3 : true {
            if first.count == 4 { return self.setDate(day: last, month: number, year: head, end: third + 1) }
            guard first.count <= 2, middle.count <= 2, tail.count == 4 || tail.count == 2 else { return false }
            return self.setDate(head, number, mark, year: Self.year(tail), end: third + 1)
        }
        guard third == nil, mark != "-" || self.options.isHyphenDate || first.count == 4 else { return false }
        // `1 1/2`
        if mark == "/", self.slots.bare != nil, self.lexeme(self.index - 1)?.digits != nil { return false }
        if first.count == 4, mark == "-" || mark == "/", middle.count <= 2, middle.isGlued, (1...12).contains(number) {
            return self.setMonth(number, year: head, end: second + 1)
        }
        if middle.count == 4, mark == "/" || mark == ".", (1...12).contains(head) {
            return self.setMonth(head, year: number, end: second + 1)
        }
        if mark == " " {
            guard self.tape.language.habits.writesDatesWithSpaces, middle.count <= 2 else { return false }
        }
        guard first.count <= 2, middle.count <= 2, !self.isClock(after: second + 1, mark) else { return false }
        if mark == ".", !self.isMark(".", second + 1), self.isPointTime(head, number, middle) { return false }
        return self.setDate(head, number, mark, year: nil, end: second + 1)
    }

    /// The index after a separator of dates.
    private func separated(_ index: Int) -> (index: Int, mark: String)? {
        guard let lexeme = self.lexeme(index) else { return nil }
        if lexeme.digits != nil { return (index, " ") }
        guard lexeme.isMark("/") || lexeme.isMark("-") || lexeme.isMark(".") && lexeme.isGlued, index + 1 < self.end
        else {
            return nil
        }
        if lexeme.isMark("."), !(self.lexeme(index + 1)?.isGlued ?? false) { return nil }
        return (index + 1, lexeme.text)
    }

    /// Whether what looks like a date with a hyphen or a space is followed by what makes it two times.
    private func isClock(after index: Int, _ mark: String) -> Bool {
        guard mark == "-" || mark == " ", let next = self.lexeme(index) else { return false }
        return next.isMark(":") || next.half != nil || next.suffixHalf != nil || next.has(.hourMark)
            || next.month != nil
            || next.unit != nil
    }

    private func isPointTime(_ hour: Int, _ minute: Int, _ lexeme: Lexeme) -> Bool {
        let isTime = lexeme.count == 2 && hour < 25 && minute < 60
        let isDate = (1...31).contains(hour) && (1...12).contains(minute)
        let next = self.lexeme(self.index + 3)
        let isMarked = next?.half != nil || next?.has(.hourMark) ?? false
        return isTime && (!isDate || self.options.isPointTime || isMarked) && self.slots.hour == nil
    }

    /// Sets day and month in the order of the region, or the other one if only that is possible.
    ///
    /// With points the day is first everywhere.
    private mutating func setDate(_ first: Int, _ second: Int, _ mark: String, year: Int?, end: Int) -> Bool {
        let isRegional = self.options.isMonthFirst && mark != "."
        let isMonthFirst = isRegional ? first <= 12 && second <= 31 : second > 12
        return self.setDate(
            day: isMonthFirst ? second : first,
            month: isMonthFirst ? first : second,
            year: year,
            end: end
        )
    }

    private mutating func setDate(day: Int, month: Int, year: Int?, end: Int) -> Bool {
        // A leap year, so that 29 February is possible.
        guard self.slots.dayOfMonth == nil, CivilDay(year: year ?? 2_000, month: month, day: day) != nil else {
            return false
        }
        self.slots.dayOfMonth = day
        self.slots.month = month
        self.slots.year = year ?? self.slots.year
        self.index = end
        if self.isMark(".", self.index), self.lexeme(self.index)?.isGlued ?? false { self.index += 1 }
        // `2026-12-03T10:00`
        if self.lexeme(self.index)?.text == "t", self.lexeme(self.index + 1)?.digits != nil { self.index += 1 }
        return true
    }

    private mutating func setMonth(_ month: Int, year: Int, end: Int) -> Bool {
        guard self.slots.year == nil, (1...9_999).contains(year) else { return false }
        self.slots.month = month
        self.slots.year = year
        self.index = end
        return true
    }

    /// Two digits are of the years 1970 to 2069.
    private static func year(_ lexeme: Lexeme) -> Int? {
        guard let digits = lexeme.digits else { return nil }
        return lexeme.count == 2 ? digits + (digits < 70 ? 2_000 : 1_900) : digits
    }

    /// `3. Dezember 2026`, "December 3rd, 2026", "the third of March", `le 1er mars`.
    mutating func readDayAndMonth() -> Bool {
        guard self.slots.dayOfMonth == nil, let first = self.lexeme(self.index) else { return false }
        if let month = first.month, self.slots.month == nil, !self.isWeekdayHere(first) {
            // `Oct-2`
            let isMarked = self.isMark("-", self.index + 1) || self.isMark("/", self.index + 1)
            let isJoined = isMarked && self.lexeme(self.index + 2)?.isGlued ?? false && !self.options.isSide
            let next = isJoined ? self.index + 2 : self.tape.skipping(.the, .on, from: self.index + 1)
            guard let day = self.dayNumber(at: next), !self.isClockNumber(day.end) else { return false }
            self.slots.month = month
            self.slots.dayOfMonth = day.value
            self.index = day.end
            self.readYear()
            return true
        }
        guard let day = self.dayNumber(at: self.index) else { return false }
        var next = self.tape.skipping(.of, .the, .on, from: day.end)
        // `20 of next month`, `20th day of next month`
        if self.lexeme(next)?.unit == .day, self.has(.of, next + 1) {
            next = self.tape.skipping(.of, .the, from: next + 1)
        }
        if let month = self.lexeme(next)?.month, self.slots.month == nil {
            self.slots.dayOfMonth = day.value
            self.slots.month = month
            self.lastName = .month
            self.index = next + 1
            self.readYear()
            return true
        }
        let isOfMonth =
            self.lexeme(next)?.unit == .month
            || self.lexeme(next)?.selection != nil && self.lexeme(next + 1)?.unit == .month
        guard next > day.end, isOfMonth else { return false }
        self.slots.dayOfMonth = day.value
        self.index = next
        return true
    }

    /// `mar` in French is Tuesday before a day, and in Spanish both.
    private func isWeekdayHere(_ lexeme: Lexeme) -> Bool {
        guard lexeme.weekday != nil else { return false }
        let next = self.dayNumber(at: self.index + 1)
        return next.flatMap { self.lexeme(self.tape.skipping(.of, from: $0.end))?.month } != nil
    }

    /// A day of a month: an ordinal or a number up to 31.
    private func dayNumber(at index: Int) -> Found<Int>? {
        guard index < self.end else { return nil }
        let found: Found<Int>
        if let ordinal = self.tape.ordinal(at: index, withPoint: true), ordinal.end <= self.end {
            found = ordinal
        } else if let lexeme = self.lexeme(index), let digits = lexeme.digits, lexeme.count <= 2 {
            found = Found(digits, end: index + 1)
        } else if let cardinal = self.tape.cardinal(at: index), cardinal.end <= self.end {
            found = cardinal
        } else {
            return nil
        }
        return (1...31).contains(found.value) ? found : nil
    }

    /// Whether a number before the index is of a clock.
    func isClockNumber(_ index: Int) -> Bool {
        guard let next = self.lexeme(index) else { return false }
        return next.isMark(":") || next.half != nil || next.suffixHalf != nil && next.isGlued
            || next.has(.hourMark) && (next.isGlued || next.unit == nil || self.lexeme(index + 1) == nil)
    }

    /// A year after a month.
    private mutating func readYear() {
        let next = self.tape.skipping(.of, from: self.index)
        guard self.slots.year == nil, next < self.end, let lexeme = self.lexeme(next), !self.isClockNumber(next + 1)
        else { return }
        if lexeme.digits != nil {
            let isYear = lexeme.count == 4 || lexeme.count == 2 && (next == self.index || self.has(.of, self.index))
            // `15. Februar 9.30`
            guard isYear, !(self.isMark(".", next + 1) && self.lexeme(next + 2)?.digits != nil),
                self.lexeme(next + 1)?.unit == nil || lexeme.count == 4, !self.isMark("/", next + 1)
            else { return }
            self.slots.year = Self.year(lexeme)
            self.index = next + 1
        } else if let year = self.yearInWords(next) {
            self.slots.year = year.value
            self.index = year.end
        }
    }

    /// "Two thousand ten", "nineteen ninety".
    func yearInWords(_ index: Int) -> Found<Int>? {
        guard let found = self.tape.cardinal(at: index), found.end <= self.end, self.lexeme(index)?.digits == nil else {
            return nil
        }
        if (1_000...2_999).contains(found.value) { return found }
        guard (11...20).contains(found.value), let rest = self.tape.cardinal(at: found.end), rest.end <= self.end,
            (10...99).contains(rest.value), self.tape.language.habits.saysPairs, self.slots.month != nil
        else { return nil }
        return Found(found.value * 100 + rest.value, end: rest.end)
    }
}
