public import IntentKit

/// What a user may say about a ride afterwards.
public struct INRideFeedbackTypeOptions: OptionSet, Hashable, Sendable, Codable {
    /// SiriKit's bits.
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let rate = Self(rawValue: 1)
    public static let tip = Self(rawValue: 2)

    private static let names: KeyValuePairs<String, Self> = ["rate": .rate, "tip": .tip]

    /// Reads an array of names.
    public init?(json: JSONValue) {
        self.init(json: json, names: Self.names)
    }

    /// An array of names.
    public var json: JSONValue { self.json(names: Self.names) }
}
