import IntentKit

@testable import SpokenValues

/// Readers on Wednesday, 25 November 2026, at 10:00 in Berlin.
enum SpokenCases {
    /// The instant 2026-11-25T09:00:00Z.
    static let now = 1_795_597_200

    /// Clocks of Central Europe, by the rule that is in force: summer from the last Sunday of March to that of October.
    static let berlin = ZoneRules { instant in
        let year = CivilDay(localSeconds: instant).parts.year
        guard let spring = Holiday.nth(-1, weekday: 7, month: 3, year: year),
            let autumn = Holiday.nth(-1, weekday: 7, month: 10, year: year)
        else { return 3_600 }
        return (spring.number * 86_400 + 3_600..<autumn.number * 86_400 + 3_600).contains(instant) ? 7_200 : 3_600
    }

    static func reader(_ locale: String, now: Int = Self.now) -> SpokenReader {
        SpokenReader(locale: locale, now: now, zone: Self.berlin)
    }

    /// The candidates of a text, in order; ranges as `start/end`.
    static func read(_ text: String, _ type: String, _ locale: String, now: Int = Self.now) -> [String] {
        Self.reader(locale, now: now).read(text, as: type).candidates.map { Self.text($0.value) }
    }

    static func text(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        if value["start"] != nil || value["end"] != nil {
            return "\(value["start"]?.string ?? "")/\(value["end"]?.string ?? "")"
        }
        if let amount = value["amount"]?.string { return "\(amount) \(value["currencyCode"]?.string ?? "")" }
        return value.description
    }
}
