/// A phrase with the identifier of what it stands for (SiriKit's `INSpeakableString`).
public struct INSpeakableString: ParameterValue, Codable {
    /// What the user says.
    public var spokenPhrase: String
    /// The app's identifier of it, once known.
    public var identifier: String?

    /// Makes a phrase, with the identifier if it is known.
    public init(spokenPhrase: String, identifier: String? = nil) {
        self.spokenPhrase = spokenPhrase
        self.identifier = identifier
    }

    public static let typeName = "speakableString"

    /// Reads an object with `spokenPhrase`, or a plain string.
    public init?(json: JSONValue) {
        guard let phrase = json.string ?? json["spokenPhrase"]?.string else { return nil }
        self.init(spokenPhrase: phrase, identifier: json["identifier"]?.string)
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members(["spokenPhrase": .string(self.spokenPhrase), "identifier": self.identifier.map(JSONValue.string)])
    }

    /// An empty phrase counts as missing.
    public var isMissing: Bool { self.spokenPhrase.isMissing && self.identifier == nil }

    public var words: String? { self.spokenPhrase }
}
