public import IntentKit

/// What kind of call it is.
public enum INCallCapability: String, EnumerationValue, Codable {
    /// Not said.
    case unknown
    /// Sound alone.
    case audioCall
    /// Sound and picture.
    case videoCall

    /// What people call it.
    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .audioCall: ["en": "sound", "de": "Ton"]
        case .videoCall: ["en": "video", "de": "Video"]
        }
    }
}
