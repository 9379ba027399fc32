/// A day of the year with a name, by a rule of the Gregorian calendar.
enum Holiday: Hashable {
    case fixed(month: Int, day: Int)
    /// Days from Easter Sunday.
    case easter(Int)
    /// Days from Easter Sunday of the Orthodox churches.
    case orthodoxEaster(Int)
    /// The nth such weekday of a month, from the end if negative, and days from there.
    case nth(Int, weekday: Int, month: Int, plus: Int = 0)
    /// The Sunday that many weeks before Christmas.
    case advent(Int)

    func day(in year: Int) -> CivilDay? {
        switch self {
        case .fixed(let month, let day): CivilDay(year: year, month: month, day: day)
        case .easter(let days): CivilDay.easter(year).map { $0 + days }
        case .orthodoxEaster(let days): Self.orthodoxEaster(year).map { $0 + days }
        case .nth(let nth, let weekday, let month, let plus):
            Self.nth(nth, weekday: weekday, month: month, year: year).map { $0 + plus }
        case .advent(let weeks):
            CivilDay(year: year, month: 12, day: 25).map { $0 + (-$0.weekday - 7 * (weeks - 1)) }
        }
    }

    /// The nth such weekday of a month, from the end if negative; nil if the month has fewer.
    static func nth(_ nth: Int, weekday: Int, month: Int, year: Int) -> CivilDay? {
        guard nth != 0, let first = CivilDay(year: year, month: month, day: 1) else { return nil }
        let length = CivilDay.length(month: month, year: year)
        let found: CivilDay
        if nth > 0 {
            found = first + ((weekday - first.weekday + 7) % 7 + 7 * (nth - 1))
        } else {
            let last = first + (length - 1)
            found = last + (-((last.weekday - weekday + 7) % 7) + 7 * (nth + 1))
        }
        return found >= first && found <= first + (length - 1) ? found : nil
    }

    /// Meeus' rule in the Julian calendar, converted.
    private static func orthodoxEaster(_ year: Int) -> CivilDay? {
        let moon = (19 * (year % 19) + 15) % 30
        let sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
        let number = moon + sunday + 114
        let gap = year / 100 - year / 400 - 2
        return CivilDay(year: year, month: number / 31, day: number % 31 + 1).map { $0 + gap }
    }
}

/// A holiday whose day the region decides.
enum RegionalHoliday: Hashable {
    case mothersDay, fathersDay, labourDay, thanksgiving, independenceDay, nationalDay

    /// The holiday in a region of a language; nil where it is unknown.
    func holiday(region: String?, language: String) -> Holiday? {
        if let region, let found = Self.byRegion[self]?[region] { return found }
        if region != nil, self == .independenceDay || self == .nationalDay { return nil }
        return Self.byLanguage[self]?[language] ?? Self.usual[self]
    }

    private static let usual: [Self: Holiday] = [
        .mothersDay: .nth(2, weekday: 7, month: 5), .fathersDay: .nth(3, weekday: 7, month: 6),
        .labourDay: .fixed(month: 5, day: 1), .thanksgiving: .nth(4, weekday: 4, month: 11),
    ]

    private static let byLanguage: [Self: [String: Holiday]] = [
        .mothersDay: ["fr": .nth(-1, weekday: 7, month: 5), "es": .nth(1, weekday: 7, month: 5)],
        .fathersDay: ["de": .easter(39), "es": .fixed(month: 3, day: 19)],
        .independenceDay: ["en": .fixed(month: 7, day: 4)],
        .nationalDay: [
            "de": .fixed(month: 10, day: 3), "fr": .fixed(month: 7, day: 14), "es": .fixed(month: 10, day: 12),
        ],
    ]

    private static let byRegion: [Self: [String: Holiday]] = [
        .mothersDay: [
            "GB": .easter(-21), "IE": .easter(-21), "MX": .fixed(month: 5, day: 10),
            "AR": .nth(3, weekday: 7, month: 10),
            "CA": .nth(2, weekday: 7, month: 5), "CH": .nth(2, weekday: 7, month: 5),
            "BE": .nth(2, weekday: 7, month: 5),
        ],
        .fathersDay: [
            "AU": .nth(1, weekday: 7, month: 9), "NZ": .nth(1, weekday: 7, month: 9), "DE": .easter(39),
            "AT": .nth(2, weekday: 7, month: 6), "CH": .nth(1, weekday: 7, month: 6),
            "MX": .nth(3, weekday: 7, month: 6),
            "AR": .nth(3, weekday: 7, month: 6),
        ],
        .labourDay: [
            "US": .nth(1, weekday: 1, month: 9), "CA": .nth(1, weekday: 1, month: 9),
            "NZ": .nth(4, weekday: 1, month: 10),
            "IE": .nth(1, weekday: 1, month: 5), "JM": .fixed(month: 5, day: 23), "TT": .fixed(month: 6, day: 19),
        ],
        .thanksgiving: ["CA": .nth(2, weekday: 1, month: 10)],
        .independenceDay: [
            "US": .fixed(month: 7, day: 4), "IN": .fixed(month: 8, day: 15), "PH": .fixed(month: 6, day: 12),
            "MX": .fixed(month: 9, day: 16), "AR": .fixed(month: 7, day: 9), "CL": .fixed(month: 9, day: 18),
            "CO": .fixed(month: 7, day: 20), "PE": .fixed(month: 7, day: 28),
        ],
        .nationalDay: [
            "DE": .fixed(month: 10, day: 3), "AT": .fixed(month: 10, day: 26), "CH": .fixed(month: 8, day: 1),
            "FR": .fixed(month: 7, day: 14), "BE": .fixed(month: 7, day: 21), "LU": .fixed(month: 6, day: 23),
            "ES": .fixed(month: 10, day: 12), "CA": .fixed(month: 7, day: 1), "AU": .fixed(month: 1, day: 26),
            "US": .fixed(month: 7, day: 4), "IE": .fixed(month: 3, day: 17),
        ],
    ]
}
