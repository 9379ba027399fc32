internal import Foundation
internal import IntentKit

/// Reads values as people say them, in English and in German: `7pm`, `tomorrow`, `12 USD`, `20 min`, `ja`.
///
/// It returns a value in its form on the wire (R11), or nil: then the text is sent unchanged, and the stage reports
/// what is wrong with it.
struct SpokenValue {
    /// The current day: `tomorrow` counts from there.
    let today: SpokenDay
    /// The offset from UTC in seconds that clocks show on a day, for points in time.
    let offset: @Sendable (SpokenDay) -> Int

    /// The value of a type in a text; nil for an unknown text or type.
    func read(_ text: String, typeName: String) -> JSONValue? {
        let words = SpokenWords(text)
        guard !words.all.isEmpty else { return nil }
        return switch typeName {
        case Bool.typeName: Self.yesOrNo(words.text).map(JSONValue.bool)
        case Int.typeName: SpokenNumber.whole(words.text).map { JSONValue.integer($0) }
        case Double.typeName: SpokenNumber.decimal(words.text).flatMap(Double.init).map(JSONValue.number)
        case CalendarDate.typeName: self.day(words.all).map { .string($0.text) }
        case TimeOfDay.typeName: SpokenTime.read(words.all).map(JSONValue.string)
        case OffsetDateTime.typeName: self.dateTime(words.all).map(JSONValue.string)
        case TimeSpan.typeName: SpokenDuration.read(words).map(JSONValue.string)
        case INCurrencyAmount.typeName: SpokenMoney.read(text)?.json
        default: nil
        }
    }

    private static func yesOrNo(_ text: String) -> Bool? {
        switch text {
        case "yes", "y", "yep", "true", "on", "ja", "j", "jo", "jawohl", "wahr", "an": true
        case "no", "n", "nope", "false", "off", "nein", "nee", "nö", "falsch", "aus": false
        default: nil
        }
    }

    /// A day: by name, by weekday, or written out.
    private func day(_ words: [String]) -> SpokenDay? {
        switch words.joined(separator: " ") {
        case "today", "heute": return self.today
        case "tomorrow", "morgen": return self.today.adding(days: 1)
        case "the day after tomorrow", "day after tomorrow", "übermorgen": return self.today.adding(days: 2)
        default: break
        }
        let rest = ["next", "on", "am", "nächsten", "the"].contains(words[0]) ? Array(words.dropFirst()) : words
        if rest.count == 1, let weekday = SpokenCalendar.weekday(rest[0]) {
            // The next one: on a Friday, "Friday" is in a week.
            let ahead = (weekday - self.today.weekday + 6) % 7 + 1
            return self.today.adding(days: ahead)
        }
        return SpokenCalendar.day(rest, notBefore: self.today)
    }

    /// A day and a time in either order, such as `tomorrow at 7pm` and `um 19 Uhr am Freitag`.
    private func dateTime(_ words: [String]) -> String? {
        for split in words.indices.dropFirst() {
            let (first, second) = (Array(words[..<split]), Array(words[split...]))
            guard let (day, text) = self.parts(first, second) ?? self.parts(second, first) else { continue }
            let offset = self.offset(day)
            let minutes = offset.magnitude / 60
            let zone =
                "\(offset < 0 ? "-" : "+")\(SpokenDay.two(Int(minutes / 60))):\(SpokenDay.two(Int(minutes % 60)))"
            return "\(day.text)T\(text.count == 5 ? text + ":00" : text)\(zone)"
        }
        return nil
    }
}

extension SpokenValue {
    /// A day, and a time with or without the word before it.
    private func parts(_ day: [String], _ time: [String]) -> (SpokenDay, String)? {
        let isLed = time.count > 1 && ["at", "um"].contains(time[0])
        guard let time = SpokenTime.read(isLed ? Array(time.dropFirst()) : time), let day = self.day(day) else {
            return nil
        }
        return (day, time)
    }

    /// A reader for here and now: the machine's day and its clocks' offset.
    static var here: Self {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let parts = calendar.dateComponents([.year, .month, .day], from: Date())
        // The calendar's own parts always form a day; the first day of the era stands for one that it does not know.
        let today = SpokenDay(year: parts.year ?? 1, month: parts.month ?? 1, day: parts.day ?? 1)
        return Self(today: today ?? .first) { [calendar] day in
            let noon = calendar.date(from: DateComponents(year: day.year, month: day.month, day: day.day, hour: 12))
            return calendar.timeZone.secondsFromGMT(for: noon ?? Date())
        }
    }
}

/// A text in lower case, and its words.
struct SpokenWords {
    /// The words in lower case, without white space.
    let all: [String]
    /// The words joined with single spaces.
    var text: String { self.all.joined(separator: " ") }

    init(_ text: String) {
        self.all = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
