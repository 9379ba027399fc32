/// One term of a vocabulary, with what it stands for.
public struct VocabularyEntry: Hashable, Sendable {
    /// The longest that a string may be: 1,024 bytes of UTF-16 (SPEC R37).
    package static let maximumUTF16Bytes = 1_024

    /// How the user says it.
    public var spokenPhrase: String
    /// How it sounds, in letters, if it is not said as it is written.
    public var pronunciationHint: String?
    /// The app's identifier of what it stands for.
    public var vocabularyIdentifier: String?

    /// Makes a term.
    public init(spokenPhrase: String, pronunciationHint: String? = nil, vocabularyIdentifier: String? = nil) {
        self.spokenPhrase = spokenPhrase
        self.pronunciationHint = pronunciationHint
        self.vocabularyIdentifier = vocabularyIdentifier
    }

    /// Reads an object with `spokenPhrase`, or a plain string; nil when a string is missing or too long.
    package init?(json: JSONValue) {
        guard let phrase = json.string ?? json["spokenPhrase"]?.string else { return nil }
        self.init(
            spokenPhrase: phrase,
            pronunciationHint: json["pronunciationHint"]?.string,
            vocabularyIdentifier: json["vocabularyIdentifier"]?.string
        )
        for text in [phrase, self.pronunciationHint, self.vocabularyIdentifier] {
            if let text, text.utf16.count * 2 > Self.maximumUTF16Bytes { return nil }
        }
    }

    /// The wire form.
    package var json: JSONValue {
        .members([
            "spokenPhrase": .string(self.spokenPhrase),
            "pronunciationHint": self.pronunciationHint.map(JSONValue.string),
            "vocabularyIdentifier": self.vocabularyIdentifier.map(JSONValue.string),
        ])
    }

    /// Whether the user's words mean this term: by identifier, phrase or pronunciation, without regard to case,
    /// accents and spacing (SPEC R25).
    public func matches(_ words: String) -> Bool {
        let key = words.matchingKey
        return self.vocabularyIdentifier == words || self.spokenPhrase.matchingKey == key
            || self.pronunciationHint?.matchingKey == key
    }
}
