/// A calendar day without time zone, `2026-11-21`.
public struct CalendarDate: ParameterValue, Comparable, Codable {
    /// The day as written: year, month and day of the Gregorian calendar.
    public let text: String

    /// Reads `yyyy-MM-dd`; nil for a day that does not exist.
    public init?(_ text: String) {
        guard let end = ISO8601Text.date(Array(text.utf8)[...]), end == text.utf8.count else { return nil }
        self.text = text
    }

    public static let typeName = "date"
    public init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
    public var json: JSONValue { .string(self.text) }
    /// Earlier days first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.text < rhs.text }
}

/// A time of day without date or time zone, `13:30` or `13:30:15`.
public struct TimeOfDay: ParameterValue, Comparable, Codable {
    /// The time as written, 24 hours.
    public let text: String

    /// Reads `HH:mm` or `HH:mm:ss`; nil for a time that does not exist.
    public init?(_ text: String) {
        guard let end = ISO8601Text.time(Array(text.utf8)[...]), end == text.utf8.count else { return nil }
        self.text = text
    }

    public static let typeName = "time"
    public init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
    public var json: JSONValue { .string(self.text) }
    /// Earlier times first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.text < rhs.text }
}

/// A point in time with its offset from UTC, `2026-11-21T13:30:00+01:00` (ISO 8601).
public struct OffsetDateTime: ParameterValue, Codable {
    /// The point in time as written.
    public let text: String

    /// Reads ISO 8601 with seconds optional and an offset or `Z` required.
    public init?(_ text: String) {
        guard ISO8601Text.isDateTime(Array(text.utf8)[...]) else { return nil }
        self.text = text
    }

    public static let typeName = "dateTime"
    public init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
    public var json: JSONValue { .string(self.text) }
}

/// A length of time, `PT20M` (ISO 8601 with weeks, days, hours, minutes, seconds).
public struct TimeSpan: ParameterValue, Codable {
    /// The duration as written.
    public let text: String

    /// Reads an ISO 8601 duration; nil without at least one part.
    public init?(_ text: String) {
        guard ISO8601Text.isDuration(text) else { return nil }
        self.text = text
    }

    public static let typeName = "duration"
    public init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
    public var json: JSONValue { .string(self.text) }
}

/// A range of time between two points (SiriKit's `INDateComponentsRange`); one end may be open.
public struct INDateComponentsRange: ParameterValue, Codable {
    /// A date or a point in time, as written; nil for an open start.
    public var start: String?
    /// A date or a point in time, as written; nil for an open end.
    public var end: String?

    public static let typeName = "dateRange"

    /// Reads an object with `start`, `end` or both; each a date or an ISO 8601 point in time.
    public init?(json: JSONValue) {
        guard json.object != nil else { return nil }
        for key in ["start", "end"] {
            guard let member = json[key], !member.isNull else { continue }
            guard let text = member.string, CalendarDate(text) != nil || OffsetDateTime(text) != nil else { return nil }
        }
        self.start = json["start"]?.string
        self.end = json["end"]?.string
        if self.start == nil && self.end == nil { return nil }
    }

    /// An object with the ends that are known.
    public var json: JSONValue {
        .members(["start": self.start.map(JSONValue.string), "end": self.end.map(JSONValue.string)])
    }
}
