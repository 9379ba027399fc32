/// Leads from a regional language to the language, and on to the fallback for all languages.
package enum LocaleFallback {
    /// A tag in the form in which tags are compared: lower case, with hyphens.
    package static func key(_ locale: String) -> String { locale.lowercased().replacing("_", with: "-") }

    /// The keys to try for a locale, the closest first: `zh-Hant-TW`, `zh-Hant`, `zh`, and the empty one.
    package static func keys(_ locale: String) -> [String] {
        var keys: [String] = []
        var parts = Self.key(locale).split(separator: "-")
        while !parts.isEmpty {
            keys.append(parts.joined(separator: "-"))
            parts.removeLast()
        }
        return keys + [""]
    }
}
