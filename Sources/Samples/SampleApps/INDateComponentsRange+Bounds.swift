import Foundation
import IntentKit

extension INDateComponentsRange {
    /// The first moment that belongs to the range; a date begins at midnight UTC.
    var lowerBound: Date? { self.start.flatMap { Self.moment($0) } }

    /// The first moment that no longer belongs to it; a date lasts until the next midnight UTC.
    var upperBound: Date? {
        self.end.flatMap { end in
            Self.moment(end).map { CalendarDate(end) == nil ? $0 : $0.addingTimeInterval(86_400) }
        }
    }

    /// Whether the range is empty because it ends before it begins.
    var isBackwards: Bool {
        guard let lowerBound = self.lowerBound, let upperBound = self.upperBound else { return false }
        return lowerBound >= upperBound
    }

    /// A condition on a column with points in time in UTC with milliseconds, with its arguments.
    func condition(on column: String) -> (sql: String, arguments: [JSONValue]) {
        let bounds = [("\(column) >= ?", self.lowerBound), ("\(column) < ?", self.upperBound)]
        let known = bounds.compactMap { sql, bound in bound.map { (sql, OffsetDateTime($0).json) } }
        return (known.map(\.0).joined(separator: " AND "), known.map(\.1))
    }

    private static func moment(_ text: String) -> Date? {
        (OffsetDateTime(text) ?? OffsetDateTime("\(text)T00:00:00Z"))?.date
    }
}
