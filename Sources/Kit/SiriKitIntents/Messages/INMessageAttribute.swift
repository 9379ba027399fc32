public import IntentKit

/// What a message can be marked as.
public enum INMessageAttribute: String, EnumerationValue, Codable {
    /// Not specified.
    case unknown
    /// Read.
    case read
    /// Not read yet.
    case unread
    /// Marked with a flag.
    case flagged
    /// Not marked with a flag.
    case unflagged
    /// Listened to.
    case played

    /// The title for people.
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

/// The result for an attribute.
public typealias INMessageAttributeResolutionResult = ParameterResolution<INMessageAttribute, NoReason>
