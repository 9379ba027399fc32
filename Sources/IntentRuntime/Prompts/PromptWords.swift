internal import IntentKit

/// Names and values as words.
enum PromptWords {
    /// A name as words: `departure_date` and `departureDate` are both read as "departure date".
    static func of(name: String) -> String {
        var text = ""
        var wasLowercase = false
        for character in name {
            if character == "_" || character == "-" {
                text.append(" ")
                wasLowercase = false
            } else {
                if character.isUppercase && wasLowercase { text.append(" ") }
                wasLowercase = character.isLowercase || character.isNumber
                text.append(character.lowercased())
            }
        }
        return text
    }

    /// A value as it is said.
    static func of(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        for key in ["displayName", "spokenPhrase", "name", "value"] {
            if let text = value[key]?.string { return text }
        }
        if let amount = value["amount"]?.string, let code = value["currencyCode"]?.string { return "\(amount) \(code)" }
        return value.description
    }
}
