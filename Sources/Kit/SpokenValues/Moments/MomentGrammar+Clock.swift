/// Times of day, and numbers alone.
extension MomentGrammar {
    /// `halb zehn`, "quarter past three", `trois heures moins le quart`, `las tres y media`.
    mutating func readMinutesOfHour() -> Bool {
        guard self.slots.hour == nil else { return false }
        let isHourFirst = self.tape.language.habits.saysMinutesAfterHour
        return !isHourFirst && self.readMinutesBeforeHour() || self.readHourAndMinutes()
    }

    private mutating func readMinutesBeforeHour() -> Bool {
        var index = self.tape.skipping(.the, from: self.index)
        let habits = self.tape.language.habits
        if self.has(.halfBefore, index), let hour = self.hour(at: index + 1) {
            return self.setClock(hour.value, minutes: -30, end: hour.end)
        }
        var minutes: Int
        let part = self.partOfHour(at: index)
        if let part {
            minutes = part.value
            index = part.end
        } else if let number = self.minutes(at: index), number.value > 0 {
            minutes = number.value
            index = number.end
            if self.lexeme(index)?.unit == .minute {
                index += 1
            } else if number.value % 5 != 0, !self.has(.halfBefore, index + 1) {
                // "3 to 4" is a range.
                return false
            }
        } else {
            return false
        }
        guard let mark = self.lexeme(index) else { return false }
        if mark.has(.past) || mark.has(.upTo) {
            if mark.has(.past) && mark.has(.upTo) { return false }
            let sign = mark.has(.past) ? 1 : -1
            // `fünf vor halb vier`
            let isHalf = self.has(.halfBefore, index + 1)
            guard let hour = self.hour(at: index + (isHalf ? 2 : 1)), !self.isMark(":", hour.end) else { return false }
            return self.setClock(hour.value, minutes: sign * minutes - (isHalf ? 30 : 0), end: hour.end)
        }
        guard part != nil, let hour = self.hour(at: index) else { return false }
        if minutes == 30, habits.saysHalfForHalfPast { return self.setClock(hour.value, minutes: 30, end: hour.end) }
        if habits.saysQuarterOfHour, minutes != 30 {
            return self.setClock(hour.value, minutes: minutes - 60, end: hour.end)
        }
        return false
    }

    /// An hour in words or digits, with a mark of hours.
    private func hour(at start: Int) -> Found<Int>? {
        let index = self.tape.skipping(.the, .at, from: start)
        guard index < self.end, let first = self.lexeme(index), !first.isVague else { return nil }
        if first.has(.noon) { return Found(12, end: index + 1) }
        if first.has(.midnight) { return Found(24, end: index + 1) }
        var found: Found<Int>
        if let digits = first.digits {
            found = Found(digits, end: index + 1)
        } else if let cardinal = self.tape.cardinal(at: index), cardinal.end <= self.end {
            found = cardinal
        } else {
            return nil
        }
        guard (0...24).contains(found.value) else { return nil }
        if self.has(.hourMark, found.end) { found.end += 1 }
        return found
    }

    /// The minutes of a half, a quarter or three quarters.
    private func partOfHour(at start: Int) -> Found<Int>? {
        let isOne = self.lexeme(start)?.number == 1 && self.lexeme(start + 1)?.fraction != nil
        guard let part = self.tape.fraction(at: isOne ? start + 1 : start), part.end <= self.end,
            part.value.count < part.value.of
        else { return nil }
        return Found(60 / part.value.of * part.value.count, end: part.end)
    }

    /// A number of minutes.
    private func minutes(at index: Int) -> Found<Int>? {
        guard index < self.end, let first = self.lexeme(index) else { return nil }
        if let digits = first.digits { return digits < 60 ? Found(digits, end: index + 1) : nil }
        guard let cardinal = self.tape.cardinal(at: index), cardinal.end <= self.end, cardinal.value < 60 else {
            return nil
        }
        return cardinal
    }

    private mutating func readHourAndMinutes() -> Bool {
        guard let hour = self.hour(at: self.index), let mark = self.lexeme(hour.end),
            mark.has(.past) || mark.has(.upTo) || self.partOfHour(at: hour.end) != nil
        else {
            return self.readHourAndNumber()
        }
        let isMarked =
            self.has(.hourMark, hour.end - 1) || self.hint == .at || hour.value == 24 || self.has(.noon, hour.end - 1)
        var index = self.tape.skipping(.the, from: mark.has(.past) || mark.has(.upTo) ? hour.end + 1 : hour.end)
        let sign = mark.has(.upTo) && !mark.has(.past) ? -1 : 1
        var minutes: Int
        if let part = self.partOfHour(at: index) {
            minutes = part.value
            index = part.end
        } else if self.tape.language.habits.saysMinutesAfterHour, let number = self.minutes(at: index),
            !self.has(.hourMark, number.end), isMarked || self.isHalf(after: number.end)
        {
            minutes = number.value
            index = number.end
            if self.lexeme(index)?.unit == .minute { index += 1 }
        } else {
            return false
        }
        let isSaid = self.tape.language.habits.saysMinutesAfterHour && (mark.has(.past) || mark.has(.upTo))
        guard isSaid || self.has(.hourMark, hour.end - 1) else { return false }
        return self.setClock(hour.value, minutes: sign * minutes, end: index)
    }

    /// "Ten thirty", `quinze heures trente`, `midi quinze`, "twelve oh three".
    private mutating func readHourAndNumber() -> Bool {
        guard let hour = self.hour(at: self.index), self.slots.bare == nil,
            self.lexeme(self.index)?.digits == nil || !self.has(.shortHour, hour.end - 1)
        else { return false }
        let isMarked =
            self.has(.hourMark, hour.end - 1) || hour.end > self.index && self.lexeme(hour.end - 1)?.number == nil
        let isWords = self.lexeme(hour.end - 1)?.digits == nil
        guard isWords || self.hint == .at || self.has(.hourMark, hour.end - 1), let next = self.lexeme(hour.end),
            self.lexeme(hour.end + 1)?.month == nil
        else { return false }
        if next.number == 0 || next.digits == 0 && next.count == 1, let minute = self.minutes(at: hour.end + 1),
            minute.value < 10
        {
            return self.setClock(hour.value, minutes: minute.value, end: minute.end)
        }
        guard var minute = self.minutes(at: hour.end), self.lexeme(minute.end)?.month == nil else { return false }
        let isSaid = minute.value >= 10 || isMarked || isWords && self.isHalf(after: minute.end)
        guard isSaid, hour.value <= 24, !self.has(.hourMark, minute.end) else { return false }
        if self.lexeme(minute.end)?.unit == .minute { minute.end += 1 }
        if next.digits != nil, next.count != 2 { return false }
        return self.setClock(hour.value, minutes: minute.value, end: minute.end)
    }

    private func isHalf(after index: Int) -> Bool {
        let next = self.tape.skipping(.of, .inside, .the, from: index)
        return self.lexeme(next)?.half != nil || self.lexeme(next)?.part != nil
    }

    /// Sets an hour that was said with minutes after or before it.
    private mutating func setClock(_ hour: Int, minutes: Int, end: Int) -> Bool {
        guard (0...24).contains(hour), end <= self.end else { return false }
        let total = hour * 60 + minutes
        self.slots.hour = minutes < 0 && hour == 0 ? 23 : total / 60
        self.slots.minute = (total + 60) % 60
        // Thirteen and more are of 24 hours, and so are noon and midnight.
        self.slots.isOfTwentyFour = hour > 12 || hour == 0 || self.isNamed(end)
        self.index = end
        return true
    }

    private func isNamed(_ end: Int) -> Bool {
        (self.index..<end).contains { self.has(.noon, $0) || self.has(.midnight, $0) }
    }

    /// `19:30`, `9h05`, `19 Uhr 30`, "7pm", "at 1030", `15.30`.
    mutating func readClock() -> Bool {
        guard self.slots.hour == nil, let first = self.lexeme(self.index) else { return false }
        if let digits = first.digits { return self.readDigitalClock(first, digits) }
        guard !first.isVague, let hour = self.tape.cardinal(at: self.index), hour.end <= self.end,
            (0...24).contains(hour.value)
        else { return false }
        let next = self.tape.skipping(.about, from: hour.end)
        let isMarked = self.has(.hourMark, next)
        guard isMarked || self.hint == .at && self.lexeme(hour.end)?.unit == nil || self.lexeme(next)?.half != nil,
            self.lexeme(hour.end)?.month == nil, self.lexeme(self.tape.skipping(.of, from: hour.end))?.month == nil
        else { return false }
        self.slots.hour = hour.value
        let isNoon = isMarked && hour.value == 12 && self.tape.language.habits.writesTwentyFourHours
        self.slots.isOfTwentyFour = hour.value > 12 || hour.value == 0 || isNoon
        self.index = isMarked ? next + 1 : hour.end
        return true
    }

    private mutating func readDigitalClock(_ first: Lexeme, _ digits: Int) -> Bool {
        var next = self.index + 1
        let writesTwentyFour = self.tape.language.habits.writesTwentyFourHours
        if self.isMark(":", next), let minute = self.twoDigits(next + 1), digits <= 24 {
            var end = next + 2
            var second: Int?
            if self.isMark(":", end), let seconds = self.twoDigits(end + 1) {
                second = seconds
                end += 2
            }
            if self.has(.hourMark, end) { end += 1 }
            return self.setDigital(first, digits, minute, second, isOfTwentyFour: writesTwentyFour, end: end)
        }
        if self.has(.hourMark, next), digits <= 24 {
            next += 1
            if self.isMark(":", next) { next += 1 }
            if let minute = self.twoDigits(next), self.lexeme(next + 1)?.month == nil,
                !(self.lexeme(next + 1)?.has(.hourMark) ?? false)
            {
                var end = next + 1
                if self.lexeme(end)?.unit == .minute { end += 1 }
                // `19h56min30s`
                var second: Int?
                if let seconds = self.lexeme(end)?.digits, seconds < 60, self.lexeme(end + 1)?.unit == .second {
                    second = seconds
                    end += 2
                }
                return self.setDigital(first, digits, minute, second, isOfTwentyFour: true, end: end)
            }
            // `5h` and `12 Uhr` are of 24 hours, `5 Uhr` and "5 o'clock" of either.
            let isShort = self.has(.shortHour, next - 1) || writesTwentyFour && digits == 12
            return self.setDigital(first, digits, nil, nil, isOfTwentyFour: isShort, end: next)
        }
        if self.isMark(".", next), self.lexeme(next)?.isGlued ?? false, let minute = self.twoDigits(next + 1),
            self.lexeme(next + 1)?.isGlued ?? false, digits <= 24, !self.isMark(".", next + 2)
        {
            return self.setDigital(first, digits, minute, nil, isOfTwentyFour: writesTwentyFour, end: next + 2)
        }
        let mark = self.lexeme(self.tape.skipping(.about, .inside, .the, from: next))
        let isHalf = mark?.half != nil || mark?.suffixHalf != nil && (self.lexeme(next)?.isGlued ?? false)
        if first.count == 3 || first.count == 4, digits / 100 <= 24, digits % 100 < 60,
            self.hint == .at || isHalf || self.hint == .about && !(1_900...2_099).contains(digits) || mark?.part != nil
                || self.slots.part != nil
        {
            return self.setDigital(first, digits / 100, digits % 100, nil, isOfTwentyFour: false, end: next)
        }
        let isHour = isHalf || self.hint == .at && !self.isPeriodUnit(next)
        guard first.count <= 2, digits <= 24, isHour, self.lexeme(next)?.month == nil, !self.isMark("/", next),
            !self.isDash(next), self.lexeme(self.tape.skipping(.of, from: next))?.month == nil
        else { return false }
        return self.setDigital(first, digits, nil, nil, isOfTwentyFour: first.text.hasPrefix("0"), end: next)
    }

    private func isPeriodUnit(_ index: Int) -> Bool { self.lexeme(index)?.unit.map { $0 >= .hour } ?? false }

    /// Whether a hyphen and a number follow, as in `2-15`.
    private func isDash(_ index: Int) -> Bool { self.isMark("-", index) && self.lexeme(index + 1)?.digits != nil }

    func twoDigits(_ index: Int) -> Int? {
        guard let lexeme = self.lexeme(index), let digits = lexeme.digits, lexeme.count == 2, digits < 60 else {
            return nil
        }
        return digits
    }

    private mutating func setDigital(
        _ first: Lexeme,
        _ hour: Int,
        _ minute: Int?,
        _ second: Int?,
        isOfTwentyFour: Bool,
        end: Int
    ) -> Bool {
        guard hour < 24 || minute ?? 0 == 0, end <= self.end else { return false }
        self.slots.hour = hour
        self.slots.minute = minute
        self.slots.second = second
        self.slots.isOfTwentyFour =
            isOfTwentyFour || hour > 12 || hour == 0 || first.count == 2 && first.text.hasPrefix("0")
        self.index = end
        let next = self.tape.skipping(.about, from: end)
        if let half = self.lexeme(next)?.half {
            self.slots.half = half
            self.slots.isOfTwentyFour = false
            self.index = next + 1
        } else if let half = self.lexeme(end)?.suffixHalf, self.lexeme(end)?.isGlued ?? false {
            self.slots.half = half
            self.slots.isOfTwentyFour = false
            self.index = end + 1
        }
        return true
    }

    /// A number alone: an hour, a day of the month or a year.
    mutating func readBare() -> Bool {
        guard let first = self.lexeme(self.index) else { return false }
        if let digits = first.digits, first.count == 4, self.slots.year == nil {
            self.slots.year = digits
            self.slots.isYearInDigits = true
            self.index += 1
            return digits > 0
        }
        if let digits = first.digits, first.count == 2, self.slots.year == nil,
            self.has(.quarterMark, self.index + 1),
            let quarter = self.lexeme(self.index + 2)?.digits
        {
            self.slots.year = 2_000 + digits
            return self.setQuarter(quarter, end: self.index + 3)
        }
        if first.has(.quarterMark), let quarter = self.lexeme(self.index + 1)?.digits {
            return self.setQuarter(quarter, end: self.index + 2)
        }
        if let year = self.yearInWords(self.index), self.slots.year == nil {
            self.slots.year = year.value
            self.index = year.end
            return true
        }
        if let ordinal = self.tape.ordinal(at: self.index, withPoint: true), ordinal.end <= self.end,
            (1...31).contains(ordinal.value), self.slots.dayOfMonth == nil
        {
            self.slots.dayOfMonth = ordinal.value
            self.index = ordinal.end
            return true
        }
        guard self.slots.bare == nil, self.hint != .inside, !first.isVague else { return false }
        if let digits = first.digits, first.count <= 2 {
            self.slots.bare = digits
            self.index += 1
        } else if let cardinal = self.tape.cardinal(at: self.index), cardinal.end <= self.end,
            (0...31).contains(cardinal.value)
        {
            self.slots.bare = cardinal.value
            self.index = cardinal.end
        } else {
            return false
        }
        self.slots.isBareDay = self.hint == .day
        self.hint = .none
        return true
    }

    private mutating func setQuarter(_ quarter: Int, end: Int) -> Bool {
        guard (1...4).contains(quarter), self.slots.nth == nil, end <= self.end else { return false }
        self.slots.nth = quarter
        self.slots.nthUnit = .quarter
        self.index = end
        return true
    }
}
