internal import IntentKit

/// Says values in one language.
struct Speaker {
    let language: Language
    let region: Region
    let zone: ZoneRules

    private var sayings: Sayings { self.language.sayings }

    func words(_ value: JSONValue, _ kind: SpokenReader.Kind) -> String? {
        switch kind {
        case .boolean: value.bool.map { $0 ? self.sayings.yes : self.sayings.no }
        case .integer: Int(json: value).map { self.number(String($0)) }
        case .number: value.number.map { self.number($0) }
        case .money: INCurrencyAmount(json: value).map(self.money)
        case .duration: TimeSpan(json: value).flatMap { self.duration($0.text) }
        case .date: CalendarDate(json: value).flatMap { self.date($0.text) }
        case .time: TimeOfDay(json: value).map { self.time($0.text) }
        case .dateTime: OffsetDateTime(json: value).flatMap { self.point($0.text) }
        case .dateRange: INDateComponentsRange(json: value).flatMap { self.range($0.start, $0.end) }
        }
    }

    // MARK: Numbers

    private func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return self.number(String(whole)) }
        let text = String(value)
        // Very large and very small ones have an exponent.
        return text.contains("e") ? text : self.number(text)
    }

    /// A decimal number with the marks of the region.
    private func number(_ text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard let whole = parts.first else { return text }
        var groups: [Substring] = []
        var rest = whole[...]
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        groups.insert(rest, at: 0)
        // A space that keeps the number on one line.
        let mark = self.region.marks.groups.first.map { $0 == " " ? "\u{202F}" : String($0) } ?? ""
        let fraction = parts.count > 1 ? "\(self.region.marks.decimal)\(parts[1])" : ""
        return (isNegative ? "-" : "") + groups.joined(separator: mark) + fraction
    }

    private func money(_ money: INCurrencyAmount) -> String {
        let number = self.number(money.amount)
        let sign: String? =
            switch money.currencyCode {
            case "EUR": "€"
            case "GBP": "£"
            case "JPY": "¥"
            case self.region.dollar: "$"
            default: nil
            }
        if self.sayings.saysCurrencyFirst {
            let digits = number.drop { $0 == "-" }
            return (number.hasPrefix("-") ? "-" : "") + (sign ?? money.currencyCode + "\u{A0}") + digits
        }
        return number + "\u{A0}" + (sign ?? money.currencyCode)
    }

    private func duration(_ text: String) -> String? {
        let letters: [Character: TimeUnit] = ["W": .week, "D": .day, "H": .hour, "M": .minute, "S": .second]
        var parts: [String] = []
        var digits = ""
        for character in text.dropFirst() where character != "T" {
            guard let unit = letters[character] else {
                digits.append(character)
                continue
            }
            guard let names = self.sayings.units.first(where: { $0.0 == unit }) else { return nil }
            parts.append("\(self.number(digits)) \(digits == "1" ? names.1 : names.2)")
            digits = ""
        }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " \(self.sayings.and) " + last
    }

    // MARK: Days and times

    /// A date on the wire.
    private func date(_ text: some StringProtocol) -> String? {
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, let day = CivilDay(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            return nil
        }
        let pattern = self.region.saysTwelveHours ? "{w}, {m} {d}, {y}" : self.sayings.date
        let number = numbers[2] == 1 ? self.sayings.firstDay ?? "1" : String(numbers[2])
        return Self.filled(
            pattern,
            [
                ("{w}", self.sayings.weekdays[day.weekday - 1]), ("{d}", number),
                ("{m}", self.sayings.months[numbers[1] - 1]), ("{y}", String(numbers[0])),
            ]
        )
    }

    /// A time on the wire, without its seconds if they are zero.
    private func time(_ text: some StringProtocol) -> String {
        let parts = text.prefix { $0 != "." }.split(separator: ":")
        let isWhole = parts.count < 3 || parts[2] == "00"
        guard self.region.saysTwelveHours, let hour = Int(parts[0]) else {
            return parts.prefix(isWhole ? 2 : 3).joined(separator: ":") + self.sayings.timeMark
        }
        let tail = parts.dropFirst().prefix(isWhole ? 1 : 2).map { ":\($0)" }.joined()
        return "\((hour + 11) % 12 + 1)\(tail) \(hour < 12 ? "AM" : "PM")"
    }

    /// A date or a point in time on the wire.
    private func point(_ text: String) -> String? {
        guard let parts = Self.parts(text) else { return self.date(text) }
        return self.date(parts.date)
            .map {
                Self.filled(self.sayings.dateTime, [("{date}", $0), ("{time}", self.time(parts.time))])
                    + self.mark(of: parts)
            }
    }

    private func range(_ start: String?, _ end: String?) -> String? {
        guard let start else { return end.flatMap(self.point).map { Self.filled(self.sayings.end, [("{b}", $0)]) } }
        guard let first = self.point(start) else { return nil }
        guard let end else { return Self.filled(self.sayings.start, [("{a}", first)]) }
        if start == end { return first }
        if let from = Self.parts(start), let to = Self.parts(end), from.date == to.date, from.offset == to.offset {
            return self.date(from.date)
                .map {
                    Self.filled(
                        self.sayings.times,
                        [("{date}", $0), ("{a}", self.time(from.time)), ("{b}", self.time(to.time))]
                    ) + self.mark(of: from)
                }
        }
        return self.point(end).map { Self.filled(self.sayings.range, [("{a}", first), ("{b}", $0)]) }
    }

    /// The offset, if the user's clocks do not show that time once and with that offset.
    private func mark(of parts: (date: Substring, time: Substring, offset: Int)) -> String {
        let numbers = (parts.date.split(separator: "-") + parts.time.split(separator: ":")).compactMap { Int($0) }
        guard numbers.count >= 5, let day = CivilDay(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            return ""
        }
        let local = day.number * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + (numbers.count > 5 ? numbers[5] : 0)
        if case .one(let instant) = self.zone.instants(ofLocal: local), instant == local - parts.offset { return "" }
        let minutes = Int(parts.offset.magnitude) / 60
        return " (UTC\(parts.offset < 0 ? "-" : "+")\((minutes / 60).digits(2)):\((minutes % 60).digits(2)))"
    }

    /// Date, time and offset in seconds of a point in time on the wire; nil for a date.
    private static func parts(_ text: String) -> (date: Substring, time: Substring, offset: Int)? {
        guard text.utf8.count > 10 else { return nil }
        let date = text.prefix(10)
        let time = text.dropFirst(11).prefix { $0 != "Z" && $0 != "z" && $0 != "+" && $0 != "-" }
        let zone = text.dropFirst(11 + time.count)
        let numbers = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
        let offset = numbers.count == 2 ? numbers[0] * 3_600 + numbers[1] * 60 : 0
        return (date, time, zone.hasPrefix("-") ? -offset : offset)
    }

    private static func filled(_ pattern: String, _ values: [(String, String)]) -> String {
        values.reduce(pattern) { $0.replacing($1.0, with: $1.1) }
    }
}
