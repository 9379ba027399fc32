/// Checks texts against the forms of ISO 8601 that parameters have on the wire.
enum ISO8601Text {
    /// The number of bytes of a date, or nil when there is none.
    static func date(_ bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(bytes.prefix(10))
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10]),
            (1...12).contains(month), (1...daysIn(month: month, year: year)).contains(day)
        else { return nil }
        return 10
    }

    /// The number of bytes of a time of day (seconds and their fraction optional), or nil.
    static func time(_ bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(bytes)
        guard text.count >= 5, text[2] == UInt8(ascii: ":"), let hour = number(text[0..<2]),
            let minute = number(text[3..<5]), hour < 24, minute < 60
        else { return nil }
        guard text.count > 5, text[5] == UInt8(ascii: ":") else { return 5 }
        guard text.count >= 8, let second = number(text[6..<8]), second < 60 else { return nil }
        guard text.count > 8, text[8] == UInt8(ascii: ".") else { return 8 }
        let fraction = text[9...].prefix { (48...57).contains($0) }
        return fraction.isEmpty ? nil : 9 + fraction.count
    }

    /// Whether the whole text is a point in time with an offset.
    static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let dateEnd = date(bytes) else { return false }
        var rest = bytes.dropFirst(dateEnd)
        guard rest.first == UInt8(ascii: "T") || rest.first == UInt8(ascii: "t") else { return false }
        rest = rest.dropFirst()
        guard let timeEnd = time(rest) else { return false }
        rest = rest.dropFirst(timeEnd)
        if rest.elementsEqual([UInt8(ascii: "Z")]) || rest.elementsEqual([UInt8(ascii: "z")]) { return true }
        guard rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") else { return false }
        rest = rest.dropFirst()
        return rest.count == 5 && time(rest) == 5
    }

    /// Whether the whole text is a duration with at least one part.
    static func isDuration(_ text: String) -> Bool {
        guard text.first == "P", text.utf8.count <= 64 else { return false }
        let halves = text.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let days = parts(of: halves[0], order: ["W", "D"]) else { return false }
        guard halves.count == 2 else { return days > 0 }
        guard let hours = parts(of: halves[1], order: ["H", "M", "S"]) else { return false }
        return hours > 0
    }

    /// The number of parts in the text; nil when one is malformed or out of order.
    private static func parts(of text: Substring, order: [Character]) -> Int? {
        var rest = text
        var units = order[...]
        var count = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            guard Double(digits) != nil, let unit = rest.first, let index = units.firstIndex(of: unit) else {
                return nil
            }
            units = units[(index + 1)...]
            rest = rest.dropFirst()
            count += 1
        }
        return count
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(Int?.some(0)) { value, digit in
            guard let value, (48...57).contains(digit) else { return nil }
            return value * 10 + Int(digit) - 48
        }
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
