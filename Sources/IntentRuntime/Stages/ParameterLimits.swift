internal import IntentKit

/// How large a parameter's value may be (R47).
enum ParameterLimits {
    /// The most values that a list may have.
    static let maximumListCount = 1_000
    /// The most bytes that a string may have.
    static let maximumStringBytes = 64 * 1024

    /// Whether a value is within the bounds, strings and lists inside it included.
    static func allows(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .number: true
        case .string(let text): text.utf8.count <= Self.maximumStringBytes
        case .array(let elements): elements.count <= Self.maximumListCount && elements.allSatisfy(Self.allows)
        case .object(let members): members.count <= Self.maximumListCount && members.values.allSatisfy(Self.allows)
        }
    }
}
