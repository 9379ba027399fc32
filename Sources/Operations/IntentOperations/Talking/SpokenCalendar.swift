/// Names of days and months in English and German, and days written with them.
enum SpokenCalendar {
    private static let weekdays = [
        ["monday", "mon", "montag", "mo"], ["tuesday", "tue", "dienstag", "di"],
        ["wednesday", "wed", "mittwoch", "mi"],
        ["thursday", "thu", "donnerstag", "do"], ["friday", "fri", "freitag", "fr"],
        ["saturday", "sat", "samstag", "sonnabend", "sa"], ["sunday", "sun", "sonntag", "so"],
    ]

    private static let months = [
        ["january", "jan", "januar", "jänner"], ["february", "feb", "februar"], ["march", "mar", "märz"],
        ["april", "apr"], ["may", "mai"], ["june", "jun", "juni"], ["july", "jul", "juli"],
        ["august", "aug"], ["september", "sep", "sept"], ["october", "oct", "oktober", "okt"],
        ["november", "nov"], ["december", "dec", "dezember", "dez"],
    ]

    /// The number of a day of the week, 0 for Monday.
    static func weekday(_ word: String) -> Int? { self.weekdays.firstIndex { $0.contains(word) } }

    /// A day written out: `2026-12-03`, `3.12.`, `3.12.2026`, `3 December`, `December 3`, `3. Dezember 2026`.
    ///
    /// Without a year it is the next such day.
    static func day(_ words: [String], notBefore today: SpokenDay) -> SpokenDay? {
        let parts = words.flatMap { Self.parts($0) }.filter { $0 != "of" }
        if words.count == 1, words[0].contains("-") {
            let numbers = words[0].split(separator: "-").compactMap { Int($0) }
            return numbers.count == 3 ? SpokenDay(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
        }
        guard (2...3).contains(parts.count) else { return nil }
        var year: Int?
        if parts.count == 3 {
            guard let number = Int(parts[2]), parts[2].count == 4 else { return nil }
            year = number
        }
        if let month = Self.month(parts[1]), let day = Int(parts[0]) {
            return Self.make(day, month, year, notBefore: today)
        }
        if let month = Self.month(parts[0]), let day = Int(parts[1]) {
            return Self.make(day, month, year, notBefore: today)
        }
        // Numbers alone are read as they are written with points: the day first. With a slash, either order is
        // possible.
        guard words.allSatisfy({ $0.contains(".") || Int($0) != nil }), let day = Int(parts[0]),
            let month = Int(parts[1])
        else { return nil }
        return Self.make(day, month, year, notBefore: today)
    }

    private static func month(_ word: String) -> Int? {
        self.months.firstIndex { $0.contains(word) }.map { $0 + 1 }
    }

    /// `3.12.` as `3` and `12`; `3rd` as `3`.
    private static func parts(_ word: String) -> [String] {
        word.split { $0 == "." || $0 == "," }
            .map { part in
                let digits = part.prefix { $0.isASCII && $0.isNumber }
                return ["st", "nd", "rd", "th"].contains(part.dropFirst(digits.count)) && !digits.isEmpty
                    ? String(digits) : String(part)
            }
    }

    private static func make(_ day: Int, _ month: Int, _ year: Int?, notBefore today: SpokenDay) -> SpokenDay? {
        if let year { return SpokenDay(year: year, month: month, day: day) }
        // A leap day comes within eight years.
        for year in today.year...today.year + 8 {
            if let made = SpokenDay(year: year, month: month, day: day), made >= today { return made }
        }
        return nil
    }
}
