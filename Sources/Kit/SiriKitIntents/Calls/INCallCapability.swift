public import IntentKit

/// What kind of call it is.
public enum INCallCapability: String, EnumerationValue, Codable {
    case unknown
    /// Audio only.
    case audioCall
    /// Audio and video.
    case videoCall

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .audioCall: ["en": "sound", "de": "Ton"]
        case .videoCall: ["en": "video", "de": "Video"]
        }
    }
}
