internal import IntentKit
internal import SpokenValues

/// Values as people say them, in intentd's languages (R63).
enum ValueWords {
    /// No clock shows this offset, so a point in time is said with its own offset: no zone database is asked, and a turn
    /// that is run again says the same.
    private static let nowhere = ZoneRules(secondsFromUTC: 1)

    /// A value in words; nil for a value that is not of the type, in another language, and where the form on the wire is
    /// what people say.
    static func of(_ value: JSONValue, typeName: String, locale: String) -> String? {
        // Years and numbers of rooms are whole numbers, too: their digits are not grouped.
        guard typeName != Int.typeName, BuiltInLanguages.language(locale) != nil else { return nil }
        return SpokenReader(locale: locale, languages: [], now: 0, zone: Self.nowhere).words(for: value, as: typeName)
    }
}
