public import IntentKit

/// How several values of a search are combined.
public enum INConditionalOperator: String, EnumerationValue, Codable {
    /// All of them must match.
    case all
    /// At least one of them must match.
    case any
    /// None of them may match.
    case none

    public var title: LocalizedText? {
        switch self {
        case .all: ["en": "all", "de": "alle"]
        case .any: ["en": "any", "de": "einer"]
        case .none: ["en": "none", "de": "keiner"]
        }
    }
}
