public import IntentKit

/// Where a call goes to.
public enum INCallDestinationType: String, EnumerationValue, Codable {
    case unknown
    /// The people that are named.
    case normal
    /// Emergency services.
    case emergency
    case voicemail
    /// The person whom the user called last.
    case redial
    /// The person who called last.
    case callBack

    /// Reads a name, also by its older form: `normalDestination`.
    public init?(json: JSONValue) {
        guard let name = json.string else { return nil }
        let older = "Destination"
        self.init(rawValue: name.hasSuffix(older) ? String(name.dropLast(older.count)) : name)
    }

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .normal: ["en": "a person", "de": "eine Person"]
        case .emergency: ["en": "emergency services", "de": "Notruf"]
        case .voicemail: ["en": "voicemail", "de": "Mailbox"]
        case .redial: ["en": "the last number", "de": "die letzte Nummer"]
        case .callBack: ["en": "whoever called last", "de": "wer zuletzt angerufen hat"]
        }
    }
}

/// The result for where a call goes to.
public typealias INCallDestinationTypeResolutionResult = ParameterResolution<INCallDestinationType, NoReason>
