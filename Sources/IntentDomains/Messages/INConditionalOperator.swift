public import IntentKit

/// How several values of a search belong together.
public enum INConditionalOperator: String, EnumerationValue, Codable {
    /// All of them have to hold.
    case all
    /// One of them has to hold.
    case any
    /// None of them may hold.
    case none
}
