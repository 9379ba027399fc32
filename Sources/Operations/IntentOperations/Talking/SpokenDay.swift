/// A day of the Gregorian calendar, for counting.
struct SpokenDay: Hashable, Comparable {
    /// The year, 1 to 9999.
    var year: Int
    /// The month, 1 to 12.
    var month: Int
    /// The day of the month, from 1 on.
    var day: Int

    /// Creates a day; nil for one that does not exist.
    init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            (1...Self.length(month: month, year: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The first day of the era.
    static let first = Self(year: 1, month: 1, day: 1)!

    /// `yyyy-MM-dd`.
    var text: String {
        let year = String(self.year)
        return String(repeating: "0", count: 4 - year.count) + year + "-\(Self.two(self.month))-\(Self.two(self.day))"
    }

    /// The day of the week: 0 is Monday.
    var weekday: Int {
        // Zeller's congruence, with January and February as months of the year before.
        let shifted =
            self.month < 3 ? (month: self.month + 12, year: self.year - 1) : (month: self.month, year: self.year)
        let century = shifted.year / 100
        let year = shifted.year % 100
        let number = self.day + 13 * (shifted.month + 1) / 5 + year + year / 4 + century / 4 + 5 * century
        // Zeller's 0 is Saturday.
        return (number + 5) % 7
    }

    /// The day this many days later; nil after the year 9999.
    func adding(days: Int) -> Self? {
        var result = self
        for _ in 0..<days {
            if result.day < Self.length(month: result.month, year: result.year) {
                result.day += 1
            } else if result.month < 12 {
                result.month += 1
                result.day = 1
            } else {
                guard result.year < 9_999 else { return nil }
                result.year += 1
                result.month = 1
                result.day = 1
            }
        }
        return result
    }

    /// Two digits at least.
    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    /// Earlier days first.
    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day) }

    private static func length(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
