import Foundation
import IntentKit

extension Date {
    /// Since 1970.
    var seconds: Int64 { Int64(self.timeIntervalSince1970) }

    /// That hour of the same day, on the clocks of a zone.
    func at(hour: Int, in zone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.date(bySettingHour: hour, minute: 0, second: 0, of: self) ?? self
    }
}

extension OffsetDateTime {
    /// The point in time as the clocks of a zone show it.
    init?(_ date: Date, in zone: TimeZone) {
        self.init(date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone)))
    }

    /// The day on those clocks, `2026-11-21`.
    var day: String { String(self.text.prefix(10)) }

    /// The hour and minute on those clocks, `13:30`.
    var clock: String { String(self.text.dropFirst(11).prefix(5)) }
}
