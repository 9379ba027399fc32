/// What a word or phrase means in the grammar that all languages share.
enum Meaning: Hashable {
    // Numbers.
    case number(Int)
    /// A number that is no hour: "a few", "a couple".
    case vague(Int)
    /// A number by which those before it are multiplied: hundred, thousand, dozen.
    case scale(Int)
    /// A letter directly after digits, as in `100K`.
    case suffixScale(Int)
    case ordinal(Int)
    /// `rd`, `ter`, `ème` directly after digits.
    case ordinalMark
    /// One part of that many: half, quarter.
    case fraction(Int)
    /// A number of which the half is named: `anderthalb` is 3, `zweieinhalb` 5.
    case halves(Int)
    case decimalPoint
    case minus

    // The calendar.
    case weekday(Int)
    /// Several of them: "two Sundays from now".
    case weekdays(Int)
    case month(Int)
    case unit(TimeUnit)
    /// `Q` in `Q3`.
    case quarterMark
    case weekend
    case season(Season)
    case holiday(Holiday)
    case regionalHoliday(RegionalHoliday)
    /// Days from today.
    case relativeDay(Int)
    case now
    case select(Selection)
    case edge(Edge)
    /// A part of the current unit: "EOM".
    case edgeOf(Edge, TimeUnit)
    case tonight

    // The clock.
    case part(DayPart)
    case half(DayHalf)
    /// `a` and `p` directly after digits.
    case suffixHalf(DayHalf)
    /// `Uhr`, `h`, `o'clock`.
    case hourMark
    /// `h`, which is written with 24 hours.
    case shortHour
    case noon
    case midnight
    /// Minutes after an hour.
    case past
    /// Minutes before an hour.
    case upTo
    /// `halb`: half an hour before.
    case halfBefore
    /// Minutes east of UTC.
    case zone(Int)

    // Distances.
    case ago
    case fromNow
    case within
    /// A distance from today in weeks, said after a day: `en huit`, "week" in "Friday week".
    case weeksLater(Int)

    // Between other words.
    case inside
    case at
    case on
    case the
    case of
    case about
    /// "2 more minutes".
    case extra
    /// `s` directly after a name.
    case possessive
    case and
    case from
    case between
    case to
    case after
    /// From a past point on.
    case since
    case before
    case by
    case until
    case earliest
    case latest
    /// Before a length of time.
    case lasting

    // Money.
    case currency(String)
    case dollar
    case cents(String?)
    /// A coin of that many cents of the region's dollar: "dime".
    case coin(Int)
    /// A thousand of the region's currency: "grand".
    case thousand
}

/// Units of time, in order.
enum TimeUnit: Int, Comparable {
    case second, minute, hour, day, week, fortnight, month, quarter, year

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Seconds of units up to hours; nil for those of the calendar.
    var seconds: Int? {
        switch self {
        case .second: 1
        case .minute: 60
        case .hour: 3_600
        default: nil
        }
    }

    /// Days of days, weeks and fortnights.
    var days: Int? {
        switch self {
        case .day: 1
        case .week: 7
        case .fortnight: 14
        default: nil
        }
    }

    /// Months of months, quarters and years.
    var months: Int? {
        switch self {
        case .month: 1
        case .quarter: 3
        case .year: 12
        default: nil
        }
    }
}

/// Which of several: this one, the next one.
enum Selection: Int {
    case last = -1
    case this = 0
    case next = 1
    case afterNext = 2
    /// `suivant`: the one of the week after.
    case following = 3

    /// How many units away.
    var offset: Int { self == .following ? 1 : self.rawValue }
}

/// A part of a period.
enum Edge { case early, middle, late }

/// Halves of the day on clocks with twelve hours.
enum DayHalf { case morning, afternoon }

/// Parts of the day.
enum DayPart: Hashable {
    case morning, forenoon, lunch, afternoon, evening, night, day
    case beforeLunch, afterLunch, afterWork, afterSchool

    /// The half of the day in which an hour from 1 to 12 is meant.
    func half(ofHour hour: Int) -> DayHalf {
        switch self {
        case .morning, .forenoon, .beforeLunch: .morning
        // Noon is near twelve.
        case .lunch: hour >= 10 && hour < 12 ? .morning : .afternoon
        case .night: hour < 6 || hour == 12 ? .morning : .afternoon
        case .day: hour >= 7 && hour < 12 ? .morning : .afternoon
        // Twelve in the evening is midnight.
        case .evening: hour == 12 ? .morning : .afternoon
        case .afternoon, .afterLunch, .afterWork, .afterSchool: .afternoon
        }
    }
}

/// Seasons of the northern half of the earth, or any of them, as in "this season".
enum Season { case spring, summer, autumn, winter, any }
