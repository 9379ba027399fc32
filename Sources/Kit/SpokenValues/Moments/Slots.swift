/// What a text says of a moment.
struct Slots {
    /// Days from today.
    var relativeDay: Int?
    var weekday: Int?
    var weekdaySelection: Selection?
    /// Weeks later than the weekday: `lundi en huit`.
    var weeksLater = 0
    var dayOfMonth: Int?
    var month: Int?
    var monthSelection: Selection?
    var year: Int?
    /// Whether four digits said the year, which can also be a time.
    var isYearInDigits = false
    /// Which of several, from the end if negative: "the second Monday", "the third last week".
    var nth: Int?
    /// What is counted if not weekdays: days, weeks.
    var nthUnit: TimeUnit?
    /// A unit of the calendar and which of them: "next week", `de este mes`.
    var periods: [Period] = []
    var season: Season?
    var seasonSelection: Selection?
    var holiday: Holiday?
    var holidaySelection: Selection?
    var isWeekend = false
    var weekendSelection: Selection?
    var edge: Edge?
    var isNow = false
    var shift: Shift?
    var count: Count?

    var hour: Int?
    var minute: Int?
    var second: Int?
    /// Whether the hour is one of 24.
    var isOfTwentyFour = false
    var half: DayHalf?
    var part: DayPart?
    /// Whether the part of the day is also the time noon.
    var isNoonPart = false
    var zone: Int?

    /// A number whose meaning depends on the rest.
    var bare: Int?
    /// Whether an article was before it.
    var isBareDay = false
    var bound: Bound?

    /// A unit and which of them.
    struct Period {
        var unit: TimeUnit
        var selection: Selection?
    }

    /// A distance from now, or from what the other slots say.
    struct Shift {
        var amounts: [TimeAmount]
        var sign: Int
        /// Nil for a distance of units of time; else of that weekday.
        var weekday: Int?
        var isFromNow: Bool
    }

    /// Several units before or after the current one: "the next three days".
    struct Count {
        var number: Int
        var unit: TimeUnit
        var sign: Int
    }

    /// An end of a range.
    enum Bound { case after, from, since, before, until, by, within }

    /// Whether they say anything of a day.
    var hasDay: Bool {
        self.relativeDay != nil || self.weekday != nil || self.dayOfMonth != nil || self.month != nil
            || self.year != nil || !self.periods.isEmpty || self.season != nil || self.holiday != nil || self.isWeekend
            || self.shift != nil || self.count != nil || self.nth != nil
    }

    var hasTime: Bool { self.hour != nil }

    /// Takes the day of another side of a range.
    mutating func takeDay(from other: Self) {
        self.relativeDay = other.relativeDay
        self.weekday = other.weekday
        self.weekdaySelection = other.weekdaySelection
        self.weeksLater = other.weeksLater
        self.dayOfMonth = other.dayOfMonth
        self.month = other.month
        self.monthSelection = other.monthSelection
        self.year = other.year
        self.nth = other.nth
        self.nthUnit = other.nthUnit
        self.periods = other.periods
        self.holiday = other.holiday
        self.holidaySelection = other.holidaySelection
    }
}
