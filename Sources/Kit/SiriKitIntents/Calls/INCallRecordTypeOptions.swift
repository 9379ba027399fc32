public import IntentKit

/// The outcomes of calls in a search: any of these.
///
/// On the wire an array of names, or one name.
public struct INCallRecordTypeOptions: OptionSet, ParameterValue, Codable {
    /// SiriKit's bits.
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let outgoing = Self(rawValue: 1)
    public static let missed = Self(rawValue: 2)
    /// The user answered them.
    public static let received = Self(rawValue: 4)
    /// The latest one alone.
    public static let latest = Self(rawValue: 8)
    /// The caller left a message.
    public static let voicemail = Self(rawValue: 16)
    public static let ringing = Self(rawValue: 32)
    public static let inProgress = Self(rawValue: 64)
    public static let onHold = Self(rawValue: 128)

    static let names: KeyValuePairs<String, Self> = [
        "outgoing": .outgoing, "missed": .missed, "received": .received, "latest": .latest, "voicemail": .voicemail,
        "ringing": .ringing, "inProgress": .inProgress, "onHold": .onHold,
    ]

    public static let typeName = "callRecordTypes"

    /// Reads an array of names, or one name.
    public init?(json: JSONValue) { self.init(json: json, names: Self.names) }

    /// An array of names.
    public var json: JSONValue { self.json(names: Self.names) }

    /// No type counts as missing.
    public var isMissing: Bool { self.isEmpty }
}

public typealias INCallRecordTypeOptionsResolutionResult = ParameterResolution<INCallRecordTypeOptions, NoReason>
