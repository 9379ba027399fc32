public import IntentKit

/// What kind of call it is.
public enum INCallCapability: String, EnumerationValue, Codable {
    /// Not said.
    case unknown
    /// Sound alone.
    case audioCall
    /// Sound and picture.
    case videoCall
}
