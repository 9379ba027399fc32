internal import IntentKit

/// The size limits of a parameter's value (R47).
enum ParameterLimits {
    /// The maximum number of values in a list.
    static let maximumListCount = 1_000
    static let maximumStringBytes = 64 * 1024

    /// Whether a value is within the limits, including strings and lists inside it.
    static func allows(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .number: true
        case .string(let text): text.utf8.count <= Self.maximumStringBytes
        case .array(let elements): elements.count <= Self.maximumListCount && elements.allSatisfy(Self.allows)
        case .object(let members): members.count <= Self.maximumListCount && members.values.allSatisfy(Self.allows)
        }
    }
}
