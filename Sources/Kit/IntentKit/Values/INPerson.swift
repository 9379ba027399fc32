/// A person as the user named them, and as the app knows them (SiriKit's `INPerson`).
public struct INPerson: ParameterValue, Codable {
    /// What the user said; without access to contacts there is nothing else (R25).
    public var spokenPhrase: String?
    public var displayName: String?
    /// The app's own identifier (`customIdentifier`), once the person is known.
    public var identifier: String?
    /// How the person is reached.
    public var handle: INPersonHandle?

    /// Describes a person by what is known.
    public init(
        spokenPhrase: String? = nil,
        displayName: String? = nil,
        identifier: String? = nil,
        handle: INPersonHandle? = nil
    ) {
        self.spokenPhrase = spokenPhrase
        self.displayName = displayName
        self.identifier = identifier
        self.handle = handle
    }

    public static let typeName = "person"

    /// Reads an object with at least one of its members, or a plain string as the spoken phrase.
    public init?(json: JSONValue) {
        if let phrase = json.string {
            self.init(spokenPhrase: phrase)
            return
        }
        guard json.object != nil else { return nil }
        self.init(
            spokenPhrase: json["spokenPhrase"]?.string,
            displayName: json["displayName"]?.string,
            identifier: json["identifier"]?.string,
            handle: json["handle"].flatMap(INPersonHandle.init(json:))
        )
        if self.spokenPhrase == nil && self.displayName == nil && self.identifier == nil && self.handle == nil {
            return nil
        }
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "spokenPhrase": self.spokenPhrase.map(JSONValue.string),
            "displayName": self.displayName.map(JSONValue.string),
            "identifier": self.identifier.map(JSONValue.string),
            "handle": self.handle?.json,
        ])
    }

    /// The name to search for: what was said, else the known name.
    public var searchName: String { self.spokenPhrase ?? self.displayName ?? "" }

    /// A person without name, identifier or address counts as missing.
    public var isMissing: Bool { self.searchName.isMissing && self.identifier == nil && self.handle == nil }

    public var words: String? { self.searchName }
}
