/// How a person is reached (SiriKit's `INPersonHandle`).
public struct INPersonHandle: Hashable, Sendable, Codable {
    /// What kind of address a handle is (`INPersonHandleType`).
    public enum Kind: String, Sendable, CaseIterable, Codable {
        case unknown
        case emailAddress
        case phoneNumber
    }

    /// The address itself; nil while only its label is known ("at work").
    public var value: String?
    public var type: Kind
    /// What the user calls it: `home`, `work`.
    public var label: String?

    public init(value: String?, type: Kind, label: String? = nil) {
        self.value = value
        self.type = type
        self.label = label
    }

    /// Reads an object with `value`, `label` or both.
    public init?(json: JSONValue) {
        let value = json["value"]?.string
        let label = json["label"]?.string
        if value == nil && label == nil { return nil }
        let type = json["type"]?.string.flatMap(Kind.init(rawValue:)) ?? .unknown
        self.init(value: value, type: type, label: label)
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "value": self.value.map(JSONValue.string), "type": .string(self.type.rawValue),
            "label": self.label.map(JSONValue.string),
        ])
    }
}
