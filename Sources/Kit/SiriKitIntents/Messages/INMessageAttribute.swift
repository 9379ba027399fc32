public import IntentKit

/// What a message can be marked as.
public enum INMessageAttribute: String, EnumerationValue, Codable {
    case unknown
    case read
    case unread
    case flagged
    case unflagged
    /// Listened to.
    case played

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .read: ["en": "read", "de": "gelesen"]
        case .unread: ["en": "unread", "de": "ungelesen"]
        case .flagged: ["en": "flagged", "de": "markiert"]
        case .unflagged: ["en": "not flagged", "de": "nicht markiert"]
        case .played: ["en": "played", "de": "angehört"]
        }
    }
}

public typealias INMessageAttributeResolutionResult = ParameterResolution<INMessageAttribute, NoReason>
