extension Timestamp {
    /// A point in time, and whether its text has the form that intentd writes.
    package typealias Read = (time: Timestamp, isAsWritten: Bool)

    /// Reads RFC 3339 from UTF-8 as `Timestamp(_:)` does from text; nil for invalid texts.
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Read? {
        if let time = Self.readWritten(bytes) { return (time, true) }
        return Timestamp(String(decoding: bytes, as: UTF8.self)).map { ($0, false) }
    }

    /// Reads the form that intentd writes, `2026-11-21T12:30:00.000Z`; nil for any other.
    private static func readWritten(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard bytes.count == 24 else { return nil }
        var isWritten =
            bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[10] == UInt8(ascii: "T")
            && bytes[13] == UInt8(ascii: ":") && bytes[16] == UInt8(ascii: ":") && bytes[19] == UInt8(ascii: ".")
            && bytes[23] == UInt8(ascii: "Z")
        func number(_ range: Range<Int>) -> Int64 {
            var value: Int64 = 0
            for index in range {
                let digit = bytes[index] &- UInt8(ascii: "0")
                isWritten = isWritten && digit < 10
                value = value * 10 + Int64(digit)
            }
            return value
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        let milliseconds = number(20..<23)
        guard isWritten, 1...12 ~= month, day >= 1, hour < 24, minute < 60, second < 60 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let last: Int64 =
            month == 2 ? (isLeap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
        guard day <= last else { return nil }
        // Year, month and day to days: Howard Hinnant's `days_from_civil`; shifted by 400 years, so that none is
        // negative.
        let shiftedYear = year + 400 - (month <= 2 ? 1 : 0)
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = (era - 1) * 146_097 + dayOfEra - 719_468
        return Timestamp(
            milliseconds: days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1_000 + milliseconds
        )
    }
}
