public import IntentKit

/// How several values of a search belong together.
public enum INConditionalOperator: String, EnumerationValue, Codable {
    /// All of them have to hold.
    case all
    /// One of them has to hold.
    case any
    /// None of them may hold.
    case none

    /// What people call it.
    public var title: LocalizedText? {
        switch self {
        case .all: ["en": "all", "de": "alle"]
        case .any: ["en": "any", "de": "einer"]
        case .none: ["en": "none", "de": "keiner"]
        }
    }
}
