public import IntentKit

/// What kinds of calls are meant: any of these.
///
/// On the wire an array of names, or one name.
public struct INCallCapabilityOptions: OptionSet, ParameterValue, Codable {
    /// SiriKit's bits.
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Audio only.
    public static let audioCall = Self(rawValue: 1)
    /// Audio and video.
    public static let videoCall = Self(rawValue: 2)

    static let names: KeyValuePairs<String, Self> = ["audioCall": .audioCall, "videoCall": .videoCall]

    public static let typeName = "callCapabilities"

    /// Reads an array of names, or one name.
    public init?(json: JSONValue) { self.init(json: json, names: Self.names) }

    /// An array of names.
    public var json: JSONValue { self.json(names: Self.names) }

    /// No kind counts as missing.
    public var isMissing: Bool { self.isEmpty }
}
