public import Foundation

extension OffsetDateTime {
    /// Writes a point in time in UTC with milliseconds, `2026-11-21T12:30:00.000Z`: for stores and details.
    ///
    /// Days before 15 October 1582 are counted in the Julian calendar, as Foundation does.
    public init(_ date: Date) {
        // Rounded first: the format truncates, and as binary fractions most milliseconds are slightly too small.
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        let rounded = Date(timeIntervalSince1970: (milliseconds + 0.25) / 1_000)
        self.text = rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// The point in time, whatever its offset.
    public var date: Date {
        let bytes = Array(self.text.utf8)
        // The initializer has checked the form: a date, `T`, a time of day, and `Z` or an offset.
        let timeEnd = 11 + (ISO8601Text.time(bytes[11...]) ?? 5)
        let day = ISO8601Text.daysSince1970(bytes[..<10])
        let zone = bytes[timeEnd...]
        var offset = 0.0
        if zone.count == 6 {
            let seconds = ISO8601Text.secondsOfDay(bytes[(timeEnd + 1)...])
            offset = zone.first == UInt8(ascii: "-") ? -seconds : seconds
        }
        let seconds = ISO8601Text.secondsOfDay(bytes[11..<timeEnd])
        return Date(timeIntervalSince1970: Double(day) * 86_400 + seconds - offset)
    }
}

extension TimeOfDay {
    /// Seconds since midnight.
    public var seconds: Double { ISO8601Text.secondsOfDay(Array(self.text.utf8)[...]) }
}

extension TimeSpan {
    /// The length in seconds; a day is 24 hours, a week seven days.
    public var seconds: Double { ISO8601Text.seconds(ofDuration: self.text) }
}
