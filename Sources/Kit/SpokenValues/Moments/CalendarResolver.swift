/// Finds the days that slots mean, from a day on.
struct CalendarResolver {
    let today: CivilDay
    let habits: Language.Habits

    /// The days, the likeliest first; empty if the slots mean no single day.
    func days(_ slots: Slots) -> [CivilDay] {
        if let shift = slots.shift { return self.days(slots, shift) }
        guard slots.count == nil, slots.season == nil, slots.edge == nil else { return [] }
        if let nth = slots.nth { return self.nthDay(nth, slots).map { [$0] } ?? [] }
        guard !slots.isWeekend else { return [] }
        if let holiday = slots.holiday { return self.day(of: holiday, slots).map { [$0] } ?? [] }
        if let offset = slots.relativeDay { return self.relativeDays(offset, slots) }
        if let day = slots.dayOfMonth { return self.days(ofMonthDay: day, slots) }
        guard slots.month == nil, slots.year == nil else { return [] }
        if let weekday = slots.weekday { return self.days(ofWeekday: weekday, slots) }
        if slots.periods.count == 1, slots.periods[0].unit == .day, let selection = slots.periods[0].selection {
            return [self.today + selection.offset]
        }
        return []
    }

    private func relativeDays(_ offset: Int, _ slots: Slots) -> [CivilDay] {
        let day = self.today + offset + 7 * slots.weeksLater
        let (_, month, dayOfMonth) = day.parts
        guard slots.weekday.map({ $0 == day.weekday }) ?? true, slots.month.map({ $0 == month }) ?? true,
            slots.dayOfMonth.map({ $0 == dayOfMonth }) ?? true, slots.periods.isEmpty, slots.year == nil
        else { return [] }
        return [day]
    }

    // MARK: Weekdays

    private func days(ofWeekday weekday: Int, _ slots: Slots) -> [CivilDay] {
        if let period = slots.periods.first {
            guard period.unit == .week, slots.periods.count == 1, slots.weekdaySelection == nil else { return [] }
            return [self.today.monday + (weekday - 1 + 7 * (period.selection ?? .this).offset)]
        }
        let ahead = (weekday - self.today.weekday + 7) % 7
        let nearest = self.today + ahead
        if slots.weeksLater > 0 { return [nearest + 7 * slots.weeksLater] }
        let coming = ahead == 0 ? nearest + 7 : nearest
        let inNextWeek = self.today.monday + (weekday + 6)
        switch slots.weekdaySelection {
        case nil: return ahead == 0 ? [coming, nearest] : [nearest]
        case .this: return [nearest]
        case .following: return [inNextWeek]
        case .afterNext: return [coming + 7]
        case .last: return [self.today + -((self.today.weekday - weekday + 6) % 7 + 1)]
        case .next:
            guard coming != inNextWeek else { return [coming] }
            return self.habits.nextWeekdayIsInNextWeek ? [inNextWeek, coming] : [coming, inNextWeek]
        }
    }

    // MARK: Days of months

    private func days(ofMonthDay day: Int, _ slots: Slots) -> [CivilDay] {
        let (year, month, today) = self.today.parts
        if let named = slots.month { return self.day(day, named, slots).map { [$0] } ?? [] }
        if let period = slots.periods.first {
            guard period.unit == .month, slots.periods.count == 1, slots.weekday == nil,
                let start = self.start(of: period)
            else { return [] }
            guard let made = Self.day(day, ofMonthOf: start) else { return [] }
            // "The first of the month" is the next one; that of "this month" may be over.
            let isOver = period.selection == nil && made < self.today
            return [isOver ? start.adding(months: 1).flatMap { Self.day(day, ofMonthOf: $0) } ?? made : made]
        }
        guard slots.year == nil else { return [] }
        // A weekday and a number meet within five years; a number alone in the next months.
        var found: [CivilDay] = []
        for offset in 0..<60 {
            let index = year * 12 + month - 1 + offset
            guard let made = CivilDay(year: index / 12, month: index % 12 + 1, day: day), made >= self.today,
                slots.weekday.map({ $0 == made.weekday }) ?? true
            else { continue }
            found.append(made)
            // On the 25th, "the 25th" may be the next one.
            if !(offset == 0 && day == today && slots.weekday == nil && found.count == 1) { break }
        }
        return found
    }

    private static func day(_ day: Int, ofMonthOf start: CivilDay) -> CivilDay? {
        CivilDay(year: start.parts.year, month: start.parts.month, day: day)
    }

    private func day(_ day: Int, _ month: Int, _ slots: Slots) -> CivilDay? {
        let today = self.today.parts.year
        if let year = slots.year ?? self.year(slots) {
            let made = CivilDay(year: year, month: month, day: day)
            return made.flatMap { made in slots.weekday.map { $0 == made.weekday } ?? true ? made : nil }
        }
        if slots.monthSelection == .last {
            return [today, today - 1].lazy.compactMap { CivilDay(year: $0, month: month, day: day) }
                .first { $0 < self.today }
        }
        if let weekday = slots.weekday {
            // The year in which they meet: this one, one to come, or a past one.
            let years = [today] + Array(today + 1...today + 6) + [today - 1]
            return years.lazy.compactMap { CivilDay(year: $0, month: month, day: day) }
                .first { $0.weekday == weekday }
        }
        // A leap day comes within eight years.
        return (today...today + 8).lazy.compactMap { CivilDay(year: $0, month: month, day: day) }
            .first { $0 >= self.today }
    }

    /// The year of "next year" and the like.
    private func year(_ slots: Slots) -> Int? {
        guard let period = slots.periods.first(where: { $0.unit == .year }) else { return nil }
        return self.today.parts.year + (period.selection ?? .this).offset
    }

    private func day(of holiday: Holiday, _ slots: Slots) -> CivilDay? {
        guard slots.month == nil, slots.dayOfMonth == nil, slots.weekday == nil || slots.nth != nil else { return nil }
        let today = self.today.parts.year
        if let year = slots.year ?? self.year(slots) { return holiday.day(in: year) }
        let years = [today - 1, today, today + 1].compactMap { holiday.day(in: $0) }
        switch slots.holidaySelection {
        case .last: return years.last { $0 < self.today }
        case .afterNext: return years.filter { $0 >= self.today }.dropFirst().first
        default: return years.first { $0 >= self.today }
        }
    }

    // MARK: The nth of a period

    private func nthDay(_ nth: Int, _ slots: Slots) -> CivilDay? {
        if let holiday = slots.holiday, let weekday = slots.weekday, nth > 0 {
            // "The third Tuesday after Christmas"
            return self.day(of: holiday, slots)
                .map {
                    $0 + ((weekday - $0.weekday + 6) % 7 + 1 + 7 * (nth - 1))
                }
        }
        guard let (start, end) = self.container(slots) else { return nil }
        let found: CivilDay?
        if let weekday = slots.weekday {
            found = Self.nth(nth, weekday: weekday, from: start, to: end)
        } else if slots.nthUnit == .day {
            let day = nth > 0 ? start + (nth - 1) : end + (nth + 1)
            found = day >= start && day <= end ? day : nil
        } else {
            found = nil
        }
        guard let found, found < self.today, slots.year == nil, slots.monthSelection == nil else { return found }
        // It is over this year or month: "the first Monday of the month".
        var next = slots
        if slots.periods.isEmpty {
            next.year = start.parts.year + 1
        } else {
            guard slots.periods.count == 1, slots.periods[0].selection == nil else { return found }
            next.periods[0].selection = .next
        }
        return self.nthDay(nth, next)
    }

    static func nth(_ nth: Int, weekday: Int, from start: CivilDay, to end: CivilDay) -> CivilDay? {
        let day =
            nth > 0
            ? start + ((weekday - start.weekday + 7) % 7 + 7 * (nth - 1))
            : end + (-((end.weekday - weekday + 7) % 7) + 7 * (nth + 1))
        return day >= start && day <= end ? day : nil
    }

    /// The month, year or other period that something is counted in.
    private func container(_ slots: Slots) -> (CivilDay, CivilDay)? {
        var rest = slots
        rest.nth = nil
        rest.weekday = nil
        rest.nthUnit = nil
        rest.isWeekend = false
        return self.period(rest)
    }

    // MARK: Distances

    private func days(_ slots: Slots, _ shift: Slots.Shift) -> [CivilDay] {
        guard shift.amounts.allSatisfy({ $0.unit.seconds == nil }) else { return [] }
        if let weekday = shift.weekday, let count = shift.amounts.first?.number.whole {
            let ahead = (weekday - self.today.weekday + 6) % 7 + 1
            let behind = (self.today.weekday - weekday + 6) % 7 + 1
            return [self.today + (shift.sign > 0 ? ahead + 7 * (count - 1) : -behind - 7 * (count - 1))]
        }
        var rest = slots
        rest.shift = nil
        guard shift.isFromNow else {
            let anchors = rest.hasDay ? self.days(rest) : [self.today]
            return anchors.compactMap { self.adding(shift, to: $0) }
        }
        guard let target = self.adding(shift, to: self.today) else { return [] }
        guard rest.hasDay else { return [target] }
        if let weekday = rest.weekday, rest.dayOfMonth == nil, shift.amounts.allSatisfy({ $0.unit.days ?? 1 >= 7 }) {
            // `Dienstag in einer Woche` counts from the next one.
            let ahead = (weekday - self.today.weekday + 7) % 7
            let base = shift.sign > 0 ? self.today + ahead : self.today.monday + (weekday - 1)
            return self.adding(shift, to: base).map { [$0] } ?? []
        }
        if rest.holiday != nil || rest.month != nil && rest.dayOfMonth != nil, rest.year == nil {
            rest.year = target.parts.year
            return self.days(rest)
        }
        return rest.relativeDay == nil ? [] : self.days(rest).compactMap { self.adding(shift, to: $0) }
    }

    /// A day, that many months, weeks and days later or earlier.
    func adding(_ shift: Slots.Shift, to day: CivilDay) -> CivilDay? {
        var result: CivilDay? = day
        for amount in shift.amounts {
            guard let parts = [amount].normalized else { return nil }
            for part in parts {
                guard part.count < 4_000_000 else { return nil }
                if let months = part.unit.months {
                    result = result?.adding(months: shift.sign * months * part.count)
                } else if let days = part.unit.days {
                    result = result.map { $0 + shift.sign * days * part.count }
                } else {
                    return nil
                }
            }
        }
        return result
    }

    // MARK: Periods

    /// The first and last day of a week, month, quarter, year or season.
    func period(_ slots: Slots) -> (CivilDay, CivilDay)? {
        guard slots.relativeDay == nil, slots.count == nil, slots.weekday == nil, slots.shift == nil else {
            return self.monthOfShiftedYear(slots)
        }
        if let nth = slots.nth { return self.nthPeriod(nth, slots) }
        if let season = slots.season { return self.season(season, slots) }
        guard slots.holiday == nil, !slots.isWeekend else { return nil }
        if slots.dayOfMonth != nil {
            // "The week of 6 October"
            guard let week = slots.periods.first, week.unit == .week, week.selection == nil else { return nil }
            var rest = slots
            rest.periods = []
            return self.days(rest).first.map { ($0.monday, $0.monday + 6) }
        }
        let whole: (CivilDay, CivilDay)
        if let month = slots.month {
            guard let start = self.start(ofMonth: month, slots), let next = start.adding(months: 1) else { return nil }
            whole = (start, next + -1)
        } else if let year = slots.year {
            guard slots.periods.isEmpty || slots.periods.allSatisfy({ $0.unit == .year }),
                let start = CivilDay(year: year, month: 1, day: 1), let end = CivilDay(year: year, month: 12, day: 31)
            else { return nil }
            whole = (start, end)
        } else if slots.periods.count == 1, let start = self.start(of: slots.periods[0]) {
            guard let end = self.end(of: slots.periods[0].unit, from: start) else { return nil }
            whole = (start, end)
        } else {
            return nil
        }
        return slots.edge.map { self.part($0, of: whole) } ?? whole
    }

    /// The month of a year that is some time away: "March in a year".
    private func monthOfShiftedYear(_ slots: Slots) -> (CivilDay, CivilDay)? {
        guard let shift = slots.shift, shift.isFromNow, slots.month != nil, slots.dayOfMonth == nil,
            let target = self.adding(shift, to: self.today)
        else { return nil }
        var rest = slots
        rest.shift = nil
        rest.year = target.parts.year
        return self.period(rest)
    }

    private func nthPeriod(_ nth: Int, _ slots: Slots) -> (CivilDay, CivilDay)? {
        if slots.nthUnit == .quarter {
            let year = slots.year ?? self.year(slots) ?? self.today.parts.year
            guard nth > 0, slots.month == nil, let start = CivilDay(year: year, month: 3 * nth - 2, day: 1),
                let next = start.adding(months: 3)
            else { return nil }
            return (start, next + -1)
        }
        guard let (start, end) = self.container(slots) else { return nil }
        switch slots.nthUnit {
        case .week:
            // Whole weeks of the period.
            let monday =
                nth > 0
                ? start + ((8 - start.weekday) % 7 + 7 * (nth - 1))
                : end + (-(end.weekday % 7) - 6 + 7 * (nth + 1))
            return monday >= start && monday + 6 <= end ? (monday, monday + 6) : nil
        case .fortnight:
            return nth == 1 ? (start, start + 13) : nth == 2 || nth == -1 ? (start + 14, end) : nil
        default: return nil
        }
    }

    /// The Friday of a weekend.
    func fridayOfWeekend(_ slots: Slots) -> CivilDay? {
        if let nth = slots.nth {
            guard let (start, end) = self.container(slots) else { return nil }
            return Self.nth(nth, weekday: 5, from: start, to: end)
        }
        guard slots.month == nil, slots.weekday == nil, slots.dayOfMonth == nil else { return nil }
        let selection = slots.weekendSelection ?? slots.periods.first?.selection ?? .this
        return self.today.monday + (4 + 7 * selection.offset)
    }

    private func start(ofMonth month: Int, _ slots: Slots) -> CivilDay? {
        let today = self.today.parts
        if let year = slots.year ?? self.year(slots) { return CivilDay(year: year, month: month, day: 1) }
        let isOver = month < today.month
        let year: Int =
            switch slots.monthSelection {
            case .last: today.year - (month < today.month ? 0 : 1)
            case .this: today.year
            case .next, .following: today.year + (month <= today.month ? 1 : 0)
            case .afterNext: today.year + (month <= today.month ? 2 : 1)
            case nil: today.year + (isOver ? 1 : 0)
            }
        return CivilDay(year: year, month: month, day: 1)
    }

    private func start(of period: Slots.Period) -> CivilDay? {
        let (year, month, _) = self.today.parts
        let offset = (period.selection ?? .this).offset
        return switch period.unit {
        case .day: self.today + offset
        case .week: self.today.monday + 7 * offset
        case .month: CivilDay(year: year, month: month, day: 1)?.adding(months: offset)
        case .quarter: CivilDay(year: year, month: (month - 1) / 3 * 3 + 1, day: 1)?.adding(months: 3 * offset)
        case .year: CivilDay(year: year + offset, month: 1, day: 1)
        case .second, .minute, .hour, .fortnight: nil
        }
    }

    private func end(of unit: TimeUnit, from start: CivilDay) -> CivilDay? {
        if let days = unit.days { return start + (days - 1) }
        return unit.months.flatMap { start.adding(months: $0) }.map { $0 + -1 }
    }

    private func season(_ season: Season, _ slots: Slots) -> (CivilDay, CivilDay)? {
        let year = self.today.parts.year
        let seasons: [Season] = season == .any ? [.spring, .summer, .autumn, .winter] : [season]
        let bounds = (year - 2...year + 2).flatMap { year in seasons.compactMap { Self.bounds(of: $0, year) } }
        if let year = slots.year ?? self.year(slots) { return bounds.first { $0.0.parts.year == year } }
        switch slots.seasonSelection {
        case nil, .this: return bounds.first { $0.1 >= self.today }
        case .next, .following: return bounds.first { $0.0 > self.today }
        case .afterNext: return bounds.filter { $0.0 > self.today }.dropFirst().first
        case .last: return bounds.last { $0.1 < self.today }
        }
    }

    /// The first and last day of a season that begins in that year.
    private static func bounds(of season: Season, _ year: Int) -> (CivilDay, CivilDay)? {
        let start: CivilDay?
        let end: CivilDay?
        switch season {
        case .spring: (start, end) = (CivilDay(year: year, month: 3, day: 20), CivilDay(year: year, month: 6, day: 20))
        case .summer: (start, end) = (CivilDay(year: year, month: 6, day: 21), CivilDay(year: year, month: 9, day: 23))
        case .autumn: (start, end) = (CivilDay(year: year, month: 9, day: 24), CivilDay(year: year, month: 12, day: 20))
        case .winter:
            (start, end) = (CivilDay(year: year, month: 12, day: 21), CivilDay(year: year + 1, month: 3, day: 20))
        case .any: return nil
        }
        guard let start, let end else { return nil }
        return (start, end)
    }

    /// The beginning, middle or end of a period.
    private func part(_ edge: Edge, of whole: (CivilDay, CivilDay)) -> (CivilDay, CivilDay) {
        let (start, end) = whole
        let length = end.number - start.number + 1
        if length <= 31 {
            let days = Self.span(edge, length <= 7 ? self.habits.edges.week : self.habits.edges.month)
            return (start + (days.lowerBound - 1), min(end, start + (days.upperBound - 1)))
        }
        let months = Self.span(edge, self.habits.edges.year)
        guard length > 300, let from = start.adding(months: months.lowerBound - 1),
            let to = start.adding(months: months.upperBound)
        else {
            let third = length / 3
            return switch edge {
            case .early: (start, start + (third - 1))
            case .middle: (start + third, end + -third)
            case .late: (end + (1 - third), end)
            }
        }
        return (from, to + -1)
    }

    private static func span(
        _ edge: Edge,
        _ spans: (early: ClosedRange<Int>, middle: ClosedRange<Int>, late: ClosedRange<Int>)
    ) -> ClosedRange<Int> {
        switch edge {
        case .early: spans.early
        case .middle: spans.middle
        case .late: spans.late
        }
    }
}
