internal import IntentKit

/// Reads durations as people write them: `20 min`, `1 h 30 min`, `2 hours`, `1,5 Stunden`.
enum SpokenDuration {
    /// The duration in its form on the wire, `PT1H30M`; nil for other text.
    static func read(_ words: SpokenWords) -> String? {
        switch words.text {
        case "half an hour", "eine halbe stunde": return "PT30M"
        case "a quarter of an hour", "eine viertelstunde": return "PT15M"
        case "an hour and a half", "one and a half hours", "anderthalb stunden", "eineinhalb stunden": return "PT1H30M"
        default: break
        }
        var date = ""
        var time = ""
        // Units come in this order, each once.
        var rest = ["W", "D", "H", "M", "S"][...]
        for (number, unit) in Self.pairs(words.all) ?? [] {
            guard let index = rest.firstIndex(of: unit) else { return nil }
            rest = rest[(index + 1)...]
            if unit == "W" || unit == "D" { date += number + unit } else { time += number + unit }
        }
        let text = "P" + date + (time.isEmpty ? "" : "T" + time)
        return TimeSpan(text)?.text
    }

    /// Numbers with their units; nil when something is neither.
    private static func pairs(_ words: [String]) -> [(String, String)]? {
        var pairs: [(String, String)] = []
        var number: String?
        for word in words where word != "and" && word != "und" {
            let digits = word.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
            var unit = String(word.dropFirst(digits.count))
            if number == nil {
                number = SpokenNumber.decimal(String(digits)) ?? SpokenNumber.whole(word).map { String($0) }
                guard number != nil else { return nil }
                if digits.isEmpty { unit = "" }
            } else {
                guard digits.isEmpty else { return nil }
            }
            guard !unit.isEmpty else { continue }
            guard let letter = Self.letter(unit), let value = number else { return nil }
            pairs.append((value, letter))
            number = nil
        }
        return number == nil ? pairs : nil
    }

    private static func letter(_ unit: String) -> String? {
        switch unit {
        case "w", "week", "weeks", "woche", "wochen": "W"
        case "d", "day", "days", "tag", "tage": "D"
        case "h", "hr", "hrs", "hour", "hours", "std", "std.", "stunde", "stunden": "H"
        case "m", "min", "min.", "mins", "minute", "minutes", "minuten": "M"
        case "s", "sec", "secs", "second", "seconds", "sek", "sek.", "sekunde", "sekunden": "S"
        default: nil
        }
    }
}
