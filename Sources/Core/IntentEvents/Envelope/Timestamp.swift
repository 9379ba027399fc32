/// A point in time in whole milliseconds, as the log keeps it.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Later than anything that happens.
    package static let distantFuture = Self(milliseconds: .max)
    /// The points in time that RFC 3339 can express: the years 0000 to 9999.
    package static let writable = Self(milliseconds: -62_167_219_200_000)...Self(milliseconds: 253_402_300_799_999)

    /// The point in time of a record that anybody may have written: the nearest one that RFC 3339 can express.
    package init(clamping milliseconds: Int64) {
        let wanted = Self(milliseconds: milliseconds)
        self = min(max(wanted, Self.writable.lowerBound), Self.writable.upperBound)
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.milliseconds < rhs.milliseconds }

    /// Adds milliseconds, clamped to 64 bits.
    package static func + (lhs: Self, milliseconds: Int64) -> Self {
        let (sum, isBeyond) = lhs.milliseconds.addingReportingOverflow(milliseconds)
        return Self(milliseconds: isBeyond ? (milliseconds < 0 ? .min : .max) : sum)
    }

    /// The difference in milliseconds, clamped to 64 bits.
    package static func - (lhs: Self, rhs: Self) -> Int64 {
        let (difference, isBeyond) = lhs.milliseconds.subtractingReportingOverflow(rhs.milliseconds)
        return isBeyond ? (rhs.milliseconds < 0 ? .max : .min) : difference
    }

    /// RFC 3339 in UTC with milliseconds, `2026-11-21T12:30:00.000Z`; a point in time outside its range is written as
    /// the nearest one inside.
    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        self.write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of ``description``.
    package func write(to text: inout [UInt8]) {
        let written = Self(clamping: self.milliseconds).milliseconds
        let days = Self.floorDivide(written, 86_400_000)
        let inDay = written - days * 86_400_000
        // Days to year, month and day: Howard Hinnant's `civil_from_days`.
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
            func put(_ value: Int64, at position: Int) {
                digits[position] = UInt8(truncatingIfNeeded: 48 + value / 10)
                digits[position + 1] = UInt8(truncatingIfNeeded: 48 + value % 10)
            }
            put(year / 100, at: 0)
            put(year % 100, at: 2)
            digits[4] = UInt8(ascii: "-")
            put(month, at: 5)
            digits[7] = UInt8(ascii: "-")
            put(day, at: 8)
            digits[10] = UInt8(ascii: "T")
            put(inDay / 3_600_000, at: 11)
            digits[13] = UInt8(ascii: ":")
            put(inDay / 60_000 % 60, at: 14)
            digits[16] = UInt8(ascii: ":")
            put(inDay / 1_000 % 60, at: 17)
            digits[19] = UInt8(ascii: ".")
            put(inDay % 1_000 / 10, at: 20)
            digits[22] = UInt8(truncatingIfNeeded: 48 + inDay % 10)
            digits[23] = UInt8(ascii: "Z")
            text.append(contentsOf: digits)
        }
    }

    /// A point in time, and whether its text has the form that intentd writes.
    package typealias Read = (time: Timestamp, isAsWritten: Bool)

    /// Reads RFC 3339: a date, a time with optional seconds and fraction, and an offset or `Z`.
    package init?(_ text: String) {
        var text = text
        guard let read = text.withUTF8({ Self.read($0) }) else { return nil }
        self = read.time
    }

    /// Reads RFC 3339 from UTF-8; nil for invalid texts.
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Read? {
        guard bytes.count >= 17, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            let year = Self.number(bytes, 0..<4), let month = Self.number(bytes, 5..<7),
            let day = Self.number(bytes, 8..<10), let hour = Self.number(bytes, 11..<13),
            let minute = Self.number(bytes, 14..<16), 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60
        else { return nil }
        var position = 16
        var (second, fraction): (Int64, Int64) = (0, 0)
        if bytes[position] == UInt8(ascii: ":") {
            guard bytes.count >= 20, let found = Self.number(bytes, 17..<19), found <= 60 else { return nil }
            second = found
            position = 19
            if bytes[position] == UInt8(ascii: ".") {
                let digits = position + 1
                position = bytes[digits...].firstIndex { !(48...57 ~= $0) } ?? bytes.count
                guard position > digits else { return nil }
                for index in digits..<(digits + 3) {
                    fraction = fraction * 10 + (index < position ? Int64(bytes[index] - 48) : 0)
                }
            }
        }
        guard let offset = Self.offset(bytes, from: position) else { return nil }
        // Year, month and day to days: Howard Hinnant's `days_from_civil`.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Self.floorDivide(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let time = Self(
            milliseconds: days * 86_400_000 + hour * 3_600_000 + (minute - offset) * 60_000 + second * 1_000 + fraction
        )
        // An offset may lead out of the years that have four digits.
        guard Self.writable.contains(time) else { return nil }
        // With this length and a Z there are three digits of a fraction.
        let isAsWritten =
            bytes.count == 24 && bytes[10] == UInt8(ascii: "T") && bytes[23] == UInt8(ascii: "Z") && second < 60
            && day <= Self.lastDay(year, month)
        return (time, isAsWritten)
    }

    /// The minutes of an offset; nil for anything else than one that ends the text.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> Int64? {
        guard position < bytes.count else { return nil }
        if bytes.count == position + 1 { return bytes[position] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard bytes.count == position + 6, bytes[position + 3] == UInt8(ascii: ":"),
            bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"),
            let hours = Self.number(bytes, position + 1..<position + 3),
            let minutes = Self.number(bytes, position + 4..<position + 6), hours < 24, minutes < 60
        else { return nil }
        return (bytes[position] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func lastDay(_ year: Int64, _ month: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
            let digit = bytes[index] &- 48
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
