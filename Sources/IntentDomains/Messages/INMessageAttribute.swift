public import IntentKit

/// What a message can be marked as.
public enum INMessageAttribute: String, EnumerationValue, Codable {
    /// Not said.
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
}

/// Answers for an attribute.
public typealias INMessageAttributeResolutionResult = ParameterResolution<INMessageAttribute, NoReason>
