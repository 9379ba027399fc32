package import IntentKit

/// Values in a few words: a person by name, an amount with its currency.
package enum ValueText {
    package static func short(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .array(let elements): return elements.map(Self.short).joined(separator: ", ")
        case .object(let members):
            for name in ["displayName", "spokenPhrase", "name", "content"] {
                if let text = members[name]?.string, !text.isEmpty { return text }
            }
            if let amount = members["amount"]?.string, let currency = members["currencyCode"]?.string {
                return "\(amount) \(currency)"
            }
            return members.sorted { $0.key < $1.key }.filter { !$0.value.isNull }
                .map { "\($0.key) \(Self.short($0.value))" }.joined(separator: ", ")
        case .bool(let isTrue): return isTrue ? "yes" : "no"
        case .null, .integer, .number: return value.description
        }
    }
}
