/// A text for people, in one language or in several.
///
/// ```swift
/// @Parameter(prompt: "Which exercise?") var exercise: String?
/// @Parameter(prompt: ["en": "How many?", "de": "Wie viele?"]) var reps: Int?
/// ```
public struct LocalizedText: Hashable, Sendable {
    /// The texts by locale; the empty locale is for everybody.
    private let byLocale: [String: String]

    /// Makes a text from texts by locale, such as `en` or `en-US`.
    public init(_ byLocale: [String: String]) { self.byLocale = byLocale }

    /// A text in one language, shown to all users.
    public init(_ text: String) { self.init(["": text]) }

    /// The text in a language: that of the region first, then that of another region of the language, then the one for
    /// everybody.
    package func text(locale: String) -> String? {
        self.text(in: locale) ?? self.byLocale[""]
    }

    /// The text in a language: that of the region first, then that of another region; nil if there is none in that
    /// language.
    package func text(in locale: String) -> String? {
        if let text = self.byLocale[locale] { return text }
        let language = locale.prefix { $0 != "-" }
        if let text = self.byLocale[String(language)] { return text }
        let region = self.byLocale.keys.sorted().first { $0.prefix { $0 != "-" } == language && !$0.isEmpty }
        return region.flatMap { self.byLocale[$0] }
    }

    /// The texts, each cut to at most that many bytes of UTF-8 at the end of a character.
    func cut(toBytes limit: Int) -> LocalizedText {
        guard self.byLocale.values.contains(where: { $0.utf8.count > limit }) else { return self }
        return LocalizedText(self.byLocale.mapValues { $0.cut(toBytes: limit) })
    }

    /// Its size in bytes of UTF-8, in all languages together.
    var size: Int { self.byLocale.values.reduce(0) { $0 + $1.utf8.count } }

    /// The form in state: a text for everybody, or texts by locale.
    package var json: JSONValue {
        if self.byLocale.count == 1, let text = self.byLocale[""] { return .string(text) }
        return .object(JSONObject(self.byLocale.map { (key: $0.key, value: JSONValue.string($0.value)) }))
    }

    /// Reads the form in state; nil when it is none.
    package init?(json: JSONValue) {
        if let text = json.string {
            self.init(text)
        } else if let texts = json.object {
            self.init(Dictionary(texts.map { ($0.key, $0.value.string ?? "") }) { $1 })
        } else {
            return nil
        }
    }

    package var texts: [String] { self.byLocale.keys.sorted().compactMap { self.byLocale[$0] } }

    /// The text for users whose language is missing: that for everybody, else the English one, else any.
    package var anyText: String? {
        self.text(locale: "en") ?? self.byLocale.min { $0.key < $1.key }?.value
    }
}

extension String {
    /// The longest beginning of at most that many bytes of UTF-8 that ends with a whole character.
    func cut(toBytes limit: Int) -> String {
        var size = 0
        return String(
            self.prefix {
                size += $0.utf8.count
                return size <= limit
            }
        )
    }
}

extension LocalizedText: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
    /// A text in one language, shown to all users.
    public init(stringLiteral text: String) { self.init(text) }

    /// Makes a text from texts by locale; of two for one locale the last one counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { $1 })
    }
}
