/// A day of the Gregorian calendar, counted from 1970-01-01.
struct CivilDay: Hashable, Comparable {
    /// Days since 1970-01-01.
    var number: Int

    init(number: Int) { self.number = number }

    /// Nil for a day that does not exist, and outside the years 1 to 9999.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            (1...Self.length(month: month, year: year)).contains(day)
        else { return nil }
        // Howard Hinnant's `days_from_civil`.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        self.number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day at or before a point of local time, in seconds since 1970-01-01T00:00 of local time.
    init(localSeconds: Int) {
        self.number = (Double(localSeconds) / 86_400).rounded(.down).asInt
    }

    /// Year, month and day of the month.
    var parts: (year: Int, month: Int, day: Int) {
        // Howard Hinnant's `civil_from_days`.
        let shifted = self.number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// 1 for Monday to 7 for Sunday.
    var weekday: Int { ((self.number + 3) % 7 + 7) % 7 + 1 }

    /// The Monday of its week.
    var monday: Self { self + (1 - self.weekday) }

    /// `yyyy-MM-dd`.
    var text: String {
        let (year, month, day) = self.parts
        return "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
    }

    /// The same day of another month; the month's last day if it is shorter.
    ///
    /// Nil outside the years 1 to 9999.
    func adding(months: Int) -> Self? {
        let (year, month, day) = self.parts
        let count = year * 12 + month - 1 + months
        guard count >= 12 else { return nil }
        let last = Self.length(month: count % 12 + 1, year: count / 12)
        return Self(year: count / 12, month: count % 12 + 1, day: min(day, last))
    }

    static func + (lhs: Self, rhs: Int) -> Self { Self(number: lhs.number + rhs) }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    static func length(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Easter Sunday of a year, by the rule of Meeus, Jones and Butcher.
    static func easter(_ year: Int) -> Self? {
        let golden = year % 19
        let century = year / 100
        let rest = year % 100
        let epact = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
        let sunday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let correction = (golden + 11 * epact + 22 * sunday) / 451
        let number = epact + sunday - 7 * correction + 114
        return Self(year: year, month: number / 31, day: number % 31 + 1)
    }
}

extension Double {
    fileprivate var asInt: Int { Int(self) }
}

extension Int {
    /// The number in decimal, with zeros before it.
    func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
}
