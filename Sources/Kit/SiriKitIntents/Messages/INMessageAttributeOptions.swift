public import IntentKit

/// The attributes that a found message must have: all of these.
///
/// On the wire an array of names, or one name.
public struct INMessageAttributeOptions: OptionSet, ParameterValue, Codable {
    /// SiriKit's bits.
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let read = Self(rawValue: 1)
    public static let unread = Self(rawValue: 2)
    public static let flagged = Self(rawValue: 4)
    public static let unflagged = Self(rawValue: 8)
    /// Listened to.
    public static let played = Self(rawValue: 16)

    private static let names: KeyValuePairs<String, Self> = [
        "read": .read, "unread": .unread, "flagged": .flagged, "unflagged": .unflagged, "played": .played,
    ]

    public static let typeName = "messageAttributes"

    /// Reads an array of names, or one name.
    public init?(json: JSONValue) { self.init(json: json, names: Self.names) }

    /// An array of names.
    public var json: JSONValue { self.json(names: Self.names) }

    /// No attribute counts as missing.
    public var isMissing: Bool { self.isEmpty }
}
