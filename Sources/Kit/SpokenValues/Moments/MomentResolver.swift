/// Makes moments of slots, relative to a point in time.
struct MomentResolver {
    /// Seconds since 1970.
    let now: Int
    /// Seconds since 1970-01-01T00:00 of local time.
    let localNow: Int
    let language: Language

    var today: CivilDay { CivilDay(localSeconds: self.localNow) }

    private var calendar: CalendarResolver { CalendarResolver(today: self.today, habits: self.language.habits) }

    /// The moments that the slots mean for the goal, the likeliest first.
    func moments(_ slots: Slots, _ goal: Moment.Goal) -> [Moment] {
        guard var slots = self.settled(slots, goal) else { return [] }
        if slots.isNoonPart, slots.hour == nil, goal == .time || goal == .dateTime {
            // `al mediodía` is a time or a part of the day.
            slots.part = nil
            slots.hour = 12
            slots.isOfTwentyFour = true
        }
        switch goal {
        case .date: return self.dates(slots).map { .point(.day($0)) }
        case .time: return self.clocks(slots)
        case .dateTime: return self.points(slots).map { .point($0) }
        case .dateRange: return self.ranges(slots)
        }
    }

    /// Decides what a bare number counts; nil if it counts nothing.
    private func settled(_ slots: Slots, _ goal: Moment.Goal) -> Slots? {
        if goal == .time || goal == .dateTime, slots.isYearInDigits, let settled = Self.withYearAsTime(slots) {
            return settled
        }
        guard let bare = slots.bare else { return slots }
        var settled = slots
        settled.bare = nil
        let isInDay = slots.part != nil && slots.part != .day && !slots.isBareDay
        let isHour = slots.hour == nil && (slots.half != nil || isInDay || slots.zone != nil)
        // "15, 8pm"
        let isFullTime = slots.minute != nil || slots.half != nil || slots.hour ?? 0 > 12
        let isBesideTime = slots.hour != nil && (slots.weekday != nil || isFullTime)
        if !isHour, slots.isBareDay || goal == .date || isBesideTime {
            guard slots.dayOfMonth == nil, (1...31).contains(bare) else { return nil }
            settled.dayOfMonth = bare
            return settled
        }
        // "The 24th 26" and "Friday 13" are no times.
        let isAlone = slots.dayOfMonth == nil && (slots.weekday == nil || bare <= 12)
        let isAsked = goal == .time || goal == .dateTime || slots.bound != nil
        guard isHour || isAsked && isAlone, slots.hour == nil, bare <= 24 else { return nil }
        settled.hour = bare
        settled.isOfTwentyFour = bare > 12 || bare == 0
        return settled
    }

    /// `1730` as a time.
    private static func withYearAsTime(_ slots: Slots) -> Slots? {
        guard let year = slots.year, slots.hour == nil, slots.bare == nil, slots.month == nil, slots.holiday == nil,
            year / 100 < 24, year % 100 < 60
        else { return nil }
        var settled = slots
        settled.year = nil
        settled.hour = year / 100
        settled.minute = year % 100
        settled.isOfTwentyFour = true
        return settled
    }

    // MARK: Days and times

    private func dates(_ slots: Slots) -> [CivilDay] {
        guard !slots.hasTime, slots.part == nil, slots.half == nil, !slots.isNow, slots.bound == nil else { return [] }
        return self.calendar.days(slots)
    }

    /// The times of day that the slots mean, in seconds; an hour of two halves gives both, the likelier first.
    private func times(_ slots: Slots) -> [Int] {
        guard let hour = slots.hour else { return [] }
        let rest = (slots.minute ?? 0) * 60 + (slots.second ?? 0)
        let half = slots.half ?? (hour <= 12 && hour > 0 ? slots.part?.half(ofHour: hour) : nil)
        if let half {
            if hour > 12 { return slots.half == nil && half == .afternoon && hour < 24 ? [hour * 3_600 + rest] : [] }
            guard hour > 0 else { return slots.half == nil ? [rest] : [] }
            return [hour % 12 * 3_600 + (half == .afternoon ? 43_200 : 0) + rest]
        }
        if slots.part?.half(ofHour: hour % 12) == .morning, hour > 12, hour < 24, slots.part != .night { return [] }
        if slots.isOfTwentyFour || hour == 0 || hour > 12 {
            return [hour == 24 && rest > 0 ? rest : hour * 3_600 + rest]
        }
        let morning = hour % 12 * 3_600 + rest
        let afternoon = morning + 43_200
        return (7...11).contains(hour) ? [morning, afternoon] : [afternoon, morning]
    }

    private func clocks(_ slots: Slots) -> [Moment] {
        guard !slots.hasDay, slots.bound == nil, !slots.isNow, slots.edge == nil, slots.zone == nil else { return [] }
        return self.times(slots).map { .clock($0 % 86_400) }
    }

    // MARK: Points

    ///
    /// Without a day the next to come is first; or else the likelier half of the day.
    private func points(_ slots: Slots, isNextFirst: Bool = true) -> [Moment.Point] {
        guard slots.bound == nil, slots.edge == nil || slots.part != nil, slots.count == nil else { return [] }
        if slots.isNow || slots.shift.map(self.isOfHours) ?? false {
            return self.pointFromNow(slots).map { [$0] } ?? []
        }
        let times = self.times(slots)
        guard !times.isEmpty else { return [] }
        guard slots.hasDay else {
            // The next to come.
            let start = self.today.number * 86_400
            let ahead = slots.zone.map { self.shiftToZone($0) } ?? 0
            let points = times.map { start + $0 }.map { $0 - ahead > self.localNow ? $0 : $0 + 86_400 }
            return (isNextFirst ? points.sorted() : points).map { .local($0, zone: slots.zone) }
        }
        var points: [Int] = []
        var dayOnly = slots
        dayOnly.edge = nil
        for day in self.calendar.days(dayOnly) {
            for var time in times {
                // "Tonight at 2" is after midnight.
                if slots.part == .night || slots.part == .evening, time < 21_600 { time += 86_400 }
                points.append(day.number * 86_400 + time)
                // "Friday at midnight" is at its end or at its beginning.
                if time == 86_400, slots.part == nil { points.append(day.number * 86_400) }
            }
        }
        if slots.relativeDay == 0 {
            points = points.filter { $0 > self.localNow } + points.filter { $0 <= self.localNow }
        }
        return points.map { .local($0, zone: slots.zone) }
    }

    /// How far the clocks of a zone are ahead of local ones, in seconds.
    private func shiftToZone(_ minutes: Int) -> Int { minutes * 60 - (self.localNow - self.now) }

    private func isOfHours(_ shift: Slots.Shift) -> Bool { shift.amounts.contains { $0.unit.seconds != nil } }

    /// "Now", "in two hours", "a day from right now".
    private func pointFromNow(_ slots: Slots) -> Moment.Point? {
        var rest = slots
        rest.shift = nil
        rest.isNow = false
        guard !slots.hasTime, slots.part == nil, !rest.hasDay || rest.relativeDay == 0 && rest.weekday == nil else {
            return nil
        }
        guard let shift = slots.shift else { return .instant(self.now) }
        return self.adding(shift.amounts, sign: shift.sign, toLocal: self.localNow)
    }

    /// Adds calendar units to the local time, and hours to the instant.
    private func adding(_ amounts: [TimeAmount], sign: Int, toLocal local: Int) -> Moment.Point? {
        let seconds = Self.seconds(amounts.filter { $0.unit.seconds != nil })
        let days = Slots.Shift(amounts: amounts.filter { $0.unit.seconds == nil }, sign: sign, isFromNow: true)
        guard let seconds else { return nil }
        if days.amounts.isEmpty {
            return local == self.localNow
                ? .instant(self.now + sign * seconds) : .local(local + sign * seconds, zone: nil)
        }
        let start = CivilDay(localSeconds: local)
        guard let day = self.calendar.adding(days, to: start) else { return nil }
        return .local(day.number * 86_400 + local - start.number * 86_400 + sign * seconds, zone: nil)
    }

    private static func seconds(_ amounts: [TimeAmount]) -> Int? {
        guard let parts = amounts.normalized else { return nil }
        var total = 0
        for part in parts {
            guard let unit = part.unit.seconds, part.count < 4_000_000_000 else { return nil }
            total += part.count * unit
        }
        return total
    }

    // MARK: Ranges

    private func ranges(_ slots: Slots) -> [Moment] {
        if let bound = slots.bound { return self.bounded(slots, bound) }
        if let count = slots.count { return self.counted(count, slots).map { [$0] } ?? [] }
        guard !slots.hasTime, slots.half == nil, !slots.isNow else { return [] }
        if let part = slots.part { return self.parts(part, slots) }
        if slots.isWeekend {
            return self.calendar.fridayOfWeekend(slots).map { [Self.hours(18, 72, of: $0)] } ?? []
        }
        if let (start, end) = self.calendar.period(slots) { return [.range(start: .day(start), end: .day(end))] }
        return self.calendar.days(slots).map { .range(start: .day($0), end: .day($0)) }
    }

    /// Hours of a day; after 24 they are of the next days.
    private static func hours(_ from: Int, _ to: Int, of day: CivilDay) -> Moment {
        let midnight = day.number * 86_400
        return .range(start: .local(midnight + from * 3_600, zone: nil), end: .local(midnight + to * 3_600, zone: nil))
    }

    private func parts(_ part: DayPart, _ slots: Slots) -> [Moment] {
        guard let hours = self.language.parts[part]?.hours(slots.edge) else { return [] }
        var rest = slots
        rest.part = nil
        rest.edge = nil
        // "In the morning" is the next one.
        let isOver = (self.today.number * 24 + hours.1) * 3_600 <= self.localNow
        let days = rest.hasDay ? self.calendar.days(rest) : [self.today + (isOver ? 1 : 0)]
        return days.map { Self.hours(hours.0, hours.1, of: $0) }
    }

    /// Whole units before or after the current one.
    private func counted(_ count: Slots.Count, _ slots: Slots) -> Moment? {
        var rest = slots
        rest.count = nil
        guard !rest.hasDay, !rest.hasTime, rest.part == nil else { return nil }
        if let length = count.unit.seconds {
            let current = (Double(self.localNow) / Double(length)).rounded(.down)
            let first = Int(current) * length
            let start = count.sign > 0 ? first + length : first - count.number * length
            let end = start + count.number * length
            return .range(start: .local(start, zone: nil), end: .local(end, zone: nil))
        }
        var current = Slots()
        current.periods = [Slots.Period(unit: count.unit, selection: .this)]
        guard let (start, end) = self.calendar.period(current) else { return nil }
        let amounts = [TimeAmount(number: Quantity(count.number), unit: count.unit)]
        let shift = Slots.Shift(amounts: amounts, sign: count.sign, isFromNow: true)
        guard count.sign > 0 else {
            return self.calendar.adding(shift, to: start).map { .range(start: .day($0), end: .day(start + -1)) }
        }
        return self.calendar.adding(shift, to: end + 1).map { .range(start: .day(end + 1), end: .day($0 + -1)) }
    }

    /// A range with one end.
    private func bounded(_ slots: Slots, _ bound: Slots.Bound) -> [Moment] {
        var rest = slots
        rest.bound = nil
        if bound == .since, rest.weekdaySelection == nil { rest.weekdaySelection = .last }
        if bound == .within {
            guard let shift = slots.shift else { return [] }
            rest.shift = nil
            guard !rest.hasDay, !rest.hasTime else { return [] }
            if self.isOfHours(shift) {
                let end = self.adding(shift.amounts, sign: 1, toLocal: self.localNow)
                return end.map { [.range(start: .instant(self.now), end: $0)] } ?? []
            }
            return self.calendar.adding(shift, to: self.today)
                .map { [.range(start: .instant(self.now), end: .local($0.number * 86_400, zone: nil))] } ?? []
        }
        let points = self.points(rest)
        if !points.isEmpty {
            return points.map { point in
                switch bound {
                case .after, .from, .since: .range(start: point, end: nil)
                case .before, .until: .range(start: nil, end: point)
                case .by, .within: .range(start: .instant(self.now), end: point)
                }
            }
        }
        return self.ranges(rest)
            .compactMap { range in
                guard case .range(let start?, let end?) = range else { return nil }
                return switch bound {
                case .from, .since: .range(start: start, end: nil)
                case .after: .range(start: Self.next(end), end: nil)
                case .before: .range(start: nil, end: Self.previous(start))
                case .until: .range(start: nil, end: end)
                case .by, .within: .range(start: .instant(self.now), end: end)
                }
            }
    }

    private static func next(_ point: Moment.Point) -> Moment.Point {
        if case .day(let day) = point { .day(day + 1) } else { point }
    }

    private static func previous(_ point: Moment.Point) -> Moment.Point {
        if case .day(let day) = point { .day(day + -1) } else { point }
    }
}

// MARK: Two sides

extension MomentResolver {
    /// The ranges between two sides; each takes from the other what it lacks.
    ///
    /// - Parameters:
    ///   - left: The slots of the start.
    ///   - right: The slots of the end.
    ///   - isUntil: Whether the word between them also says that something ends.
    /// - Returns: The likeliest first.
    func ranges(from left: Slots, to right: Slots, isUntil: Bool) -> [Moment] {
        guard let (left, right) = Self.completed(left, right) else { return [] }
        guard left.count == nil, right.count == nil else { return [] }
        if isUntil, !left.hasTime, right.hasTime, !right.hasDay, left.part == nil {
            return self.ranges(ofDay: left, until: right)
        }
        guard left.hasTime == right.hasTime else { return [] }
        if left.hasTime { return self.timeRanges(left, right) }
        guard left.part == nil, right.part == nil else { return [] }
        return self.bounds(left)
            .compactMap { start, _ in
                // The end is looked for from the start on.
                let later = MomentResolver(now: self.now, localNow: start.number * 86_400, language: self.language)
                guard let end = (right.relativeDay == nil ? later : self).bounds(right).first?.1, end >= start,
                    // A weekday that does not fit its date is found years later.
                    right.year != nil || end.number - start.number <= 366
                else { return nil }
                return .range(start: .day(start), end: .day(end))
            }
    }

    /// "Tomorrow until 4pm": from the beginning of the day, today from now.
    private func ranges(ofDay day: Slots, until end: Slots) -> [Moment] {
        var found: [Moment] = []
        guard let day = self.settled(day, .date) else { return [] }
        for day in self.calendar.days(day) {
            let midnight = day.number * 86_400
            let start = day == self.today ? self.localNow : midnight
            for time in self.times(end) where midnight + time > start {
                found.append(.range(start: .local(start, zone: nil), end: .local(midnight + time, zone: end.zone)))
            }
        }
        return found
    }

    /// The ranges that begin with a point and last as long.
    func ranges(from start: Slots, lasting amounts: [TimeAmount]) -> [Moment] {
        if start.hasTime || start.isNow {
            return self.points(start).compactMap(Self.local)
                .compactMap { start in
                    let end = self.adding(amounts, sign: 1, toLocal: start)
                    return end.map { .range(start: .local(start, zone: nil), end: $0) }
                }
        }
        let shift = Slots.Shift(amounts: amounts, sign: 1, isFromNow: false)
        guard start.part == nil else { return [] }
        return self.calendar.days(start)
            .compactMap { start in
                guard let end = self.calendar.adding(shift, to: start), end > start else { return nil }
                return .range(start: .day(start), end: .day(end + -1))
            }
    }

    private func bounds(_ slots: Slots) -> [(CivilDay, CivilDay)] {
        if let period = self.calendar.period(slots) { return [period] }
        return self.calendar.days(slots).map { ($0, $0) }
    }

    private func timeRanges(_ left: Slots, _ right: Slots) -> [Moment] {
        let isSameDay = !right.hasDay
        let starts = self.points(left, isNextFirst: false).compactMap(Self.local)
        var found: [(start: Int, end: Int)] = []
        for start in starts {
            var ends: [Int]
            if isSameDay {
                let midnight = CivilDay(localSeconds: start).number * 86_400
                ends = self.times(right).map { midnight + $0 }
                // `11h30-1h30` is rather two hours than fourteen.
                if let end = ends.first, end <= start, right.half == nil, (1...11).contains(right.hour ?? 0) {
                    ends.append(end + 43_200)
                }
                ends = ends.map { $0 > start ? $0 : $0 + 86_400 }
            } else {
                ends = self.points(right).compactMap(Self.local).filter { $0 > start }
            }
            ends.sort()
            if let end = ends.first { found.append((start, end)) }
        }
        // "3 to 4pm" is not thirteen hours.
        let short = found.filter { $0.end - $0.start <= 43_200 }
        return (short.isEmpty ? found : short)
            .map {
                .range(start: .local($0.start, zone: left.zone), end: .local($0.end, zone: right.zone))
            }
    }

    private static func local(_ point: Moment.Point) -> Int? {
        if case .local(let seconds, _) = point { seconds } else { nil }
    }

    /// Both sides with what one of them says for both.
    private static func completed(_ left: Slots, _ right: Slots) -> (Slots, Slots)? {
        var left = left
        var right = right
        guard left.bound == nil, right.bound == nil else { return nil }
        // `am 5. von 9 bis 11`: beside a day a number is an hour.
        let isOfHours = left.dayOfMonth != nil && left.bare != nil || right.dayOfMonth != nil && right.bare != nil
        let areDays = [left, right].contains { $0.dayOfMonth != nil && !$0.hasTime || $0.isBareDay }
        let isOfDays = areDays && !isOfHours
        for isLeft in [true, false] {
            guard let bare = isLeft ? left.bare : right.bare else { continue }
            var side = isLeft ? left : right
            side.bare = nil
            if isOfDays && !side.hasTime || side.hasTime {
                guard side.dayOfMonth == nil else { return nil }
                side.dayOfMonth = bare
            } else {
                guard bare <= 24 else { return nil }
                side.hour = bare
                side.isOfTwentyFour = bare > 12 || bare == 0
            }
            if isLeft { left = side } else { right = side }
        }
        if left.hasTime, right.hasTime {
            if !left.hasDay, right.hasDay {
                left.takeDay(from: right)
                right.takeDay(from: Slots())
            }
            if left.part == nil { left.part = right.part }
            if right.part == nil, right.half == nil, left.part != nil, !right.isOfTwentyFour { right.part = left.part }
            left.zone = left.zone ?? right.zone
            right.zone = right.zone ?? left.zone
            return (left, right)
        }
        if left.month == nil, left.dayOfMonth != nil, left.periods.isEmpty { left.month = right.month }
        if right.month == nil, right.dayOfMonth != nil, right.periods.isEmpty { right.month = left.month }
        if left.year == nil, left.month != nil { left.year = right.year }
        return (left, right)
    }
}
