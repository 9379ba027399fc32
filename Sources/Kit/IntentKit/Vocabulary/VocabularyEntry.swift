/// One term of a vocabulary, with what it stands for.
public struct VocabularyEntry: Hashable, Sendable {
    /// The maximum length of a string: 1,024 bytes of UTF-16 (R37).
    package static let maximumUTF16Bytes = 1_024
    /// The maximum number of terms in a vocabulary; the last ones are the least important.
    package static let maximumCount = 5_000

    /// How the user says it.
    public var spokenPhrase: String
    /// How it sounds, in letters, if it is not pronounced as written.
    public var pronunciationHint: String?
    /// The app's identifier for the term.
    public var vocabularyIdentifier: String?

    public init(spokenPhrase: String, pronunciationHint: String? = nil, vocabularyIdentifier: String? = nil) {
        self.spokenPhrase = spokenPhrase
        self.pronunciationHint = pronunciationHint
        self.vocabularyIdentifier = vocabularyIdentifier
    }

    /// Reads an object with `spokenPhrase`, or a plain string; nil when ``problem(in:)`` finds one.
    package init?(json: JSONValue) {
        guard Self.problem(in: json) == nil, let phrase = json.string ?? json["spokenPhrase"]?.string else {
            return nil
        }
        self.init(
            spokenPhrase: phrase,
            pronunciationHint: json["pronunciationHint"]?.string,
            vocabularyIdentifier: json["vocabularyIdentifier"]?.string
        )
    }

    /// What is wrong with a term on the wire, and what would be right; nil when nothing is.
    package static func problem(in json: JSONValue) -> String? {
        if json.string != nil { return Self.problem(in: json, name: "the string") }
        guard json.object != nil else { return "\(json.kind) is no term: a string or an object is expected" }
        guard let phrase = json["spokenPhrase"] else { return "spokenPhrase is missing" }
        if let problem = Self.problem(in: phrase, name: "spokenPhrase") { return problem }
        for name in ["pronunciationHint", "vocabularyIdentifier"] {
            if let value = json[name], !value.isNull, let problem = Self.problem(in: value, name: name) {
                return problem
            }
        }
        return nil
    }

    private static func problem(in json: JSONValue, name: String) -> String? {
        guard let text = json.string else { return "\(name) is \(json.kind), not a string" }
        if text.isMissing { return "\(name) is empty" }
        let bytes = text.utf16.count * 2
        guard bytes > Self.maximumUTF16Bytes else { return nil }
        return "\(name) has \(bytes) bytes of UTF-16; \(Self.maximumUTF16Bytes) are the most (R37)"
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
    /// accents and spacing (R25).
    public func matches(_ words: String) -> Bool {
        let key = words.matchingKey
        guard !key.isEmpty else { return false }
        return [self.vocabularyIdentifier, self.spokenPhrase, self.pronunciationHint]
            .contains { $0?.matchingKey == key }
    }
}
