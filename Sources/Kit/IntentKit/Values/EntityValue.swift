/// A type of things that a handler knows, such as a user's pets: with an identifier, and with words for people (R71).
///
/// ```swift
/// struct Dog: EntityValue {
///     static let typeName = "dog"
///     var identifier: String?
///     var name: String
///     var breed: String?
///
///     init(spokenPhrase: String) { self.name = spokenPhrase }
///
///     var displayRepresentation: DisplayRepresentation? {
///         DisplayRepresentation(title: LocalizedText(self.name), subtitle: self.breed.map { LocalizedText($0) })
///     }
/// }
/// ```
/// On the wire it is an object with its members; a plain text is an entity of which only the words are known. Users see
/// its ``displayRepresentation`` wherever it is offered, and may call it by any of these words.
public protocol EntityValue: ParameterValue, Codable {
    /// What distinguishes it from all others; nil until it is known which one is meant.
    var identifier: String? { get }

    /// What people see of it, and what else they may call it.
    var displayRepresentation: DisplayRepresentation? { get }

    /// Makes an entity of which only the user's words are known.
    init(spokenPhrase: String)
}

extension EntityValue {
    /// Reads an object with the members, or a text for the user's words.
    public init?(json: JSONValue) {
        if let phrase = json.string {
            self.init(spokenPhrase: phrase)
            return
        }
        guard json.object != nil, let entity = try? JournalCoding.decode(Self.self, from: json) else { return nil }
        self = entity
    }

    /// An object with the members, as they are encoded; of an entity that cannot be encoded, its identifier alone.
    public var json: JSONValue {
        (try? JournalCoding.encode(self)) ?? .members(["identifier": self.identifier.map(JSONValue.string)])
    }

    /// An entity without an identifier and with empty words counts as missing.
    public var isMissing: Bool { self.identifier == nil && self.words?.isMissing ?? false }

    /// Its title.
    public var words: String? { self.displayRepresentation?.title.anyText }
}
