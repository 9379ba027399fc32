import Foundation
import IntentKit

public enum DeclaredType: String, Sendable, CaseIterable {
    case string
    case integer
    case number
    case boolean
    /// A day, `2026-11-21`.
    case date
    /// A time of day, `13:30`.
    case time
    /// A point in time, `2026-11-21T13:30:00+01:00`.
    case dateTime
    /// A length of time, `PT20M`.
    case duration
    case currencyAmount
    case person
    case place

    /// The value in its one form on the wire; nil when it has another type.
    func canonical(_ json: JSONValue) -> JSONValue? {
        switch self {
        case .string: String(json: json)?.json
        case .integer: Int(json: json)?.json
        // Left as written, so that 3 does not become 3.0.
        case .number: Double(json: json).map { _ in json }
        case .boolean: Bool(json: json)?.json
        case .date: CalendarDate(json: json)?.json
        case .time: TimeOfDay(json: json)?.json
        case .dateTime: OffsetDateTime(json: json)?.json
        case .duration: TimeSpan(json: json)?.json
        case .currencyAmount: INCurrencyAmount(json: json)?.json
        case .person: INPerson(json: json)?.json
        case .place: Placemark(json: json)?.json
        }
    }

    /// Whether a value counts as missing (R21).
    func isMissing(_ json: JSONValue) -> Bool {
        switch self {
        case .person: INPerson(json: json)?.isMissing ?? json.isNull
        case .place: Placemark(json: json)?.isMissing ?? json.isNull
        case .string, .integer, .number, .boolean, .date, .time, .dateTime, .duration, .currencyAmount:
            json.isNull || json.string?.isMissing == true
        }
    }

    /// The words by which values of this type are distinguished when they are not said exactly; nil where there are
    /// none.
    func words(_ json: JSONValue) -> String? {
        switch self {
        case .string: json.string
        case .person: INPerson(json: json)?.searchName
        case .place: Placemark(json: json)?.name
        case .integer, .number, .boolean, .date, .time, .dateTime, .duration, .currencyAmount: nil
        }
    }

    /// Whether values of this type are ordered.
    var isOrdered: Bool {
        switch self {
        case .integer, .number, .date, .time, .dateTime, .duration, .currencyAmount: true
        case .string, .boolean, .person, .place: false
        }
    }

    /// How two values of this type compare; nil when they cannot be compared, as two currencies.
    func compare(_ lhs: JSONValue, _ rhs: JSONValue) -> ComparisonResult? {
        switch self {
        case .integer: Self.compare(Int(json: lhs), Int(json: rhs))
        case .number: Self.compare(Double(json: lhs), Double(json: rhs))
        case .date: Self.compare(CalendarDate(json: lhs), CalendarDate(json: rhs))
        case .time: Self.compare(TimeOfDay(json: lhs)?.seconds, TimeOfDay(json: rhs)?.seconds)
        case .dateTime: Self.compare(OffsetDateTime(json: lhs)?.date, OffsetDateTime(json: rhs)?.date)
        case .duration: Self.compare(TimeSpan(json: lhs)?.seconds, TimeSpan(json: rhs)?.seconds)
        case .currencyAmount: Self.compareAmounts(INCurrencyAmount(json: lhs), INCurrencyAmount(json: rhs))
        case .string, .boolean, .person, .place: nil
        }
    }

    private static func compare<Value: Comparable>(_ lhs: Value?, _ rhs: Value?) -> ComparisonResult? {
        guard let lhs, let rhs else { return nil }
        return lhs < rhs ? .orderedAscending : lhs > rhs ? .orderedDescending : .orderedSame
    }

    private static func compareAmounts(_ lhs: INCurrencyAmount?, _ rhs: INCurrencyAmount?) -> ComparisonResult? {
        guard let lhs, let rhs, lhs.currencyCode == rhs.currencyCode else { return nil }
        return Self.compare(Decimal(string: lhs.amount), Decimal(string: rhs.amount))
    }
}
