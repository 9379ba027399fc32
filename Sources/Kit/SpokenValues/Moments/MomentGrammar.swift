/// Fills the slots of a moment from lexemes, from left to right.
struct MomentGrammar {
    let tape: Tape
    let end: Int
    let options: Options
    var index: Int
    var slots = Slots()
    /// What was said before the next number.
    var hint = Hint.none
    /// Whether no word waits for another one.
    private var isComplete = true
    /// The hint that the words just read leave.
    var opening = Hint.none
    /// What a selection after it belongs to.
    var lastName = Name.none

    /// Choices where the text leaves two.
    struct Options: Hashable {
        var isMonthFirst = false
        /// Whether `10.12` is a time.
        var isPointTime = false
        /// Whether `10-12` is a date.
        var isHyphenDate = true
        /// Whether it is one end of a range.
        var isSide = false
    }

    enum Hint { case none, at, day, about, inside }
    enum Name { case none, weekday, month, period, season, holiday, weekend }

    init(tape: Tape, range: Range<Int>, options: Options) {
        self.tape = tape
        self.index = range.lowerBound
        self.end = range.upperBound
        self.options = options
    }

    /// The slots; nil if something is unknown, or said twice.
    mutating func read() -> Slots? {
        while self.index < self.end {
            guard self.step() else { return nil }
        }
        // A word at the end that belongs to a missing one: in German, "3 am" would be three o'clock.
        return self.isComplete ? self.slots : nil
    }

    // The lexeme there, within the range.
    func lexeme(_ index: Int) -> Lexeme? { index < self.end ? self.tape[index] : nil }

    func has(_ meaning: Meaning, _ index: Int) -> Bool { self.lexeme(index)?.has(meaning) ?? false }

    func isMark(_ mark: String, _ index: Int) -> Bool { self.lexeme(index)?.isMark(mark) ?? false }

    private mutating func step() -> Bool {
        let isRead =
            self.readShift() || self.readBound() || self.readMinutesOfHour() || self.readCount() || self.readNth()
            || self.readNumericDate() || self.readDayAndMonth() || self.readClock() || self.readSelection()
            || self.readName()
        if isRead {
            self.isComplete = true
            self.hint = self.opening
            self.opening = .none
            return true
        }
        if self.skipFiller() { return true }
        self.isComplete = true
        return self.readBare()
    }
}

// MARK: Words between others

extension MomentGrammar {
    /// Words before a number tell what it counts.
    private mutating func skipFiller() -> Bool {
        guard let lexeme = self.lexeme(self.index) else { return false }
        // `6 Jan 2027 - 6:37`
        if lexeme.isMark("-"), !self.options.isSide, self.slots.dayOfMonth != nil, !self.slots.hasTime,
            self.lexeme(self.index + 1)?.digits != nil, self.isMark(":", self.index + 2)
        {
            self.index += 1
            return true
        }
        let isPossessive = lexeme.has(.possessive) && lexeme.isGlued
        let isLast = lexeme.has(.about) || lexeme.isMark || isPossessive
        if lexeme.has(.at) {
            self.hint = .at
        } else if lexeme.has(.on) || lexeme.has(.the) {
            if self.hint != .at { self.hint = .day }
        } else if lexeme.has(.about) {
            if self.hint == .none { self.hint = .about }
        } else if lexeme.has(.from) {
            // A side of a range can begin with it.
            guard self.slots.bound == nil else { return false }
        } else if lexeme.has(.inside) {
            if self.hint == .none { self.hint = .inside }
        } else if !(isPossessive || lexeme.has(.of) || lexeme.has(.and) && self.slots.bound != nil
            || lexeme.isMark(".") && lexeme.isGlued)
        {
            return false
        }
        self.isComplete = self.isComplete && isLast
        self.index += 1
        return true
    }

    /// "After", "until": the other end is open.
    private mutating func readBound() -> Bool {
        guard let lexeme = self.lexeme(self.index) else { return false }
        if self.options.isSide {
            // What begins a side of a range says no more.
            let isOpening =
                lexeme.has(.between)
                || (lexeme.has(.from) || lexeme.has(.after)) && !self.slots.hasTime
                    && self.slots.bare == nil && lexeme.selection == nil
            guard isOpening else { return false }
            self.index += 1
            // `du 13 au 18`
            self.opening = lexeme.has(.the) ? .day : .none
            return true
        }
        if lexeme.has(.latest), self.slots.bound == .until || self.slots.bound == .before {
            self.index += 1
            return true
        }
        guard self.slots.bound == nil else { return false }
        if lexeme.has(.latest) || lexeme.has(.earliest), self.slots.hasTime || self.slots.hasDay || self.index == 0 {
            self.slots.bound = lexeme.has(.latest) ? .until : .from
            self.index += 1
            return true
        }
        guard !self.slots.hasTime, self.slots.bare == nil || self.slots.isBareDay, self.index + 1 < self.end else {
            return false
        }
        if lexeme.has(.by) {
            self.slots.bound = .by
        } else if lexeme.has(.before) || lexeme.has(.until) {
            // `vor zwei Wochen` is a distance.
            guard !lexeme.has(.ago) || self.tape.amounts(at: self.index + 1) == nil else { return false }
            // "Tomorrow until 4pm" is a range of two sides.
            guard !lexeme.has(.until) || !self.slots.hasDay && !self.slots.isBareDay else { return false }
            self.slots.bound = lexeme.has(.until) ? .until : .before
        } else if lexeme.has(.after) || lexeme.has(.from), !lexeme.has(.of) {
            // "The past weekend" is none that begins after it.
            guard lexeme.selection == nil || self.slots.hasDay else { return false }
            // "Sunday from last week"
            if self.slots.weekday != nil, self.lexeme(self.index + 1)?.selection != nil { return false }
            self.slots.bound = lexeme.has(.since) ? .since : lexeme.has(.from) ? .from : .after
            self.opening = lexeme.has(.the) ? .day : .none
        } else {
            return false
        }
        self.index += 1
        return true
    }

    /// "This", "next", "last" before or after a name.
    private mutating func readSelection() -> Bool {
        guard let selection = self.lexeme(self.index)?.selection else { return false }
        let next = self.tape.skipping(.the, .of, from: self.index + 1)
        if self.isSelectable(next) {
            self.index = next
            return self.readName(selection)
        }
        guard self.tape.language.habits.saysSelectionAfterName || selection == .afterNext else { return false }
        switch self.lastName {
        case .weekday where self.slots.weekdaySelection == nil: self.slots.weekdaySelection = selection
        case .month where self.slots.monthSelection == nil: self.slots.monthSelection = selection
        case .season where self.slots.seasonSelection == nil: self.slots.seasonSelection = selection
        case .holiday where self.slots.holidaySelection == nil: self.slots.holidaySelection = selection
        case .weekend where self.slots.weekendSelection == nil: self.slots.weekendSelection = selection
        case .period:
            guard let last = self.slots.periods.last, last.selection == nil else { return false }
            self.slots.periods[self.slots.periods.count - 1].selection = selection
        default: return false
        }
        self.index += 1
        return true
    }

    private func isSelectable(_ index: Int) -> Bool {
        guard let lexeme = self.lexeme(index) else { return false }
        if let unit = lexeme.unit { return unit >= .day }
        return lexeme.weekday != nil || lexeme.month != nil || lexeme.season != nil || self.tape.holiday(lexeme) != nil
            || lexeme.has(.weekend) || lexeme.part != nil
    }
}

// MARK: Names

extension MomentGrammar {
    /// A day, month, period or part of the day by its name.
    mutating func readName(_ selection: Selection? = nil) -> Bool {
        guard let lexeme = self.lexeme(self.index) else { return false }
        let isRead =
            self.readCalendarName(lexeme, selection) || self.readPartOfDay(lexeme, selection)
            || self.readMark(lexeme) && selection == nil
        if isRead { self.index += 1 }
        return isRead
    }

    private mutating func readCalendarName(_ lexeme: Lexeme, _ selection: Selection?) -> Bool {
        if let holiday = self.tape.holiday(lexeme), self.slots.holiday == nil {
            self.slots.holiday = holiday
            self.slots.holidaySelection = selection
            self.lastName = .holiday
        } else if lexeme.has(.weekend), !self.slots.isWeekend {
            self.slots.isWeekend = true
            self.slots.weekendSelection = selection
            self.lastName = .weekend
        } else if let day = lexeme.relativeDay, self.slots.relativeDay == nil, !self.isPartAfterDay(lexeme) {
            guard selection == nil, !self.slots.hasDay || self.slots.shift != nil || self.slots.weekday != nil else {
                return false
            }
            self.slots.relativeDay = day
        } else if let weekday = lexeme.weekday, self.slots.weekday == nil, !self.isFillerHere(lexeme) {
            self.slots.weekday = weekday
            self.slots.weekdaySelection = selection
            self.lastName = .weekday
        } else if let season = lexeme.season, self.slots.season == nil {
            self.slots.season = season
            self.slots.seasonSelection = selection
            self.lastName = .season
        } else if let month = lexeme.month, self.slots.month == nil {
            self.slots.month = month
            self.slots.monthSelection = selection
            self.lastName = .month
        } else if let unit = lexeme.unit, unit >= .day,
            selection != nil || self.index > 0 && (unit != .day || self.slots.edge != nil)
                || self.lexeme(self.index + 1)?.selection != nil,
            lexeme.part == nil || self.slots.edge == nil && !self.slots.hasDay,
            lexeme.weeksLater == nil || selection != nil || !(self.lexeme(self.index - 1)?.isOfCalendar ?? false)
        {
            guard self.slots.periods.count < 2 else { return false }
            self.slots.periods.append(Slots.Period(unit: unit, selection: selection))
            self.lastName = .period
        } else {
            return false
        }
        return true
    }

    /// `morgen` after a day is the morning.
    private func isPartAfterDay(_ lexeme: Lexeme) -> Bool {
        lexeme.part != nil && self.slots.part == nil && (self.slots.hasDay || self.hint == .day)
    }

    /// `so` is "Sunday" only alone.
    private func isFillerHere(_ lexeme: Lexeme) -> Bool { lexeme.has(.about) && self.index + 1 < self.end }

    private mutating func readPartOfDay(_ lexeme: Lexeme, _ selection: Selection?) -> Bool {
        if let part = lexeme.part, self.slots.part == nil, !(lexeme.has(.noon) && self.isNoon) {
            self.slots.part = part
            self.slots.isNoonPart = lexeme.has(.noon)
            // "This evening" is today's, "last night" yesterday's.
            if let selection {
                guard selection == .this || selection == .last, !self.slots.hasDay else { return false }
                self.slots.relativeDay = selection == .this ? 0 : -1
            }
            return true
        }
        guard selection == nil else { return false }
        if lexeme.has(.tonight), self.slots.part == nil, self.slots.relativeDay == nil, !self.slots.hasDay {
            self.slots.relativeDay = 0
            self.slots.part = .night
            return true
        }
        if lexeme.has(.noon) || lexeme.has(.midnight) {
            guard self.slots.hour == nil else { return false }
            self.slots.hour = lexeme.has(.noon) ? 12 : 24
            self.slots.isOfTwentyFour = true
            return true
        }
        if let half = lexeme.half, self.slots.half == nil {
            self.slots.half = half
            return true
        }
        return false
    }

    /// `Mittag` is noon after "at" or alone, and a part of the day after a day.
    private var isNoon: Bool {
        self.hint == .at || !self.slots.hasDay && self.slots.hour == nil && self.hint == .none && self.slots.bare == nil
    }

    private mutating func readMark(_ lexeme: Lexeme) -> Bool {
        if let edge = lexeme.edge, self.slots.edge == nil {
            self.slots.edge = edge
            if let unit = lexeme.first({ if case .edgeOf(_, let unit) = $0 { unit } else { nil } }) {
                self.slots.periods.append(Slots.Period(unit: unit, selection: .this))
            }
        } else if let zone = lexeme.zone, self.slots.zone == nil, self.slots.hasTime || self.slots.bare != nil {
            self.slots.zone = zone
            if zone == 0 { self.readOffset() }
        } else if lexeme.has(.now), !self.slots.isNow {
            self.slots.isNow = true
        } else if let weeks = lexeme.weeksLater, self.slots.weeksLater == 0,
            self.slots.weekday != nil
                || self.slots.relativeDay != nil
        {
            self.slots.weeksLater = weeks
        } else if lexeme.has(.hourMark), self.slots.hour != nil || self.slots.bare != nil {
            if self.slots.hour == nil {
                self.slots.hour = self.slots.bare
                self.slots.bare = nil
            }
        } else {
            return false
        }
        return true
    }
}

// MARK: Offsets

extension MomentGrammar {
    /// `+01:00` after "UTC".
    private mutating func readOffset() {
        let isWest = self.isMark("-", self.index + 1)
        guard isWest || self.isMark("+", self.index + 1), let hours = self.lexeme(self.index + 2)?.digits, hours <= 15
        else { return }
        self.index += 2
        var minutes = hours * 60
        if self.isMark(":", self.index + 1), let rest = self.twoDigits(self.index + 2) {
            minutes += rest
            self.index += 2
        }
        self.slots.zone = isWest ? -minutes : minutes
    }
}
