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

    /// An intent's name as words: `INRequestRideIntent` is read as "Request ride".
    static func of(intent name: String) -> String {
        var rest = name[...]
        if rest.hasPrefix("IN"), rest.dropFirst(2).first?.isUppercase == true { rest = rest.dropFirst(2) }
        if rest.hasSuffix("Intent"), rest.count > 6 { rest = rest.dropLast(6) }
        let words = Self.of(name: String(rest))
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    static func of(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        for key in ["displayName", "spokenPhrase", "name", "value"] {
            if let text = value[key]?.string { return text }
        }
        if let amount = value["amount"]?.string, let code = value["currencyCode"]?.string { return "\(amount) \(code)" }
        if let start = value["start"]?.string, let end = value["end"]?.string { return "\(start) – \(end)" }
        if let members = value.object {
            let words = members.sorted { $0.key < $1.key }.filter { !$0.value.isNull }.map { Self.of($0.value) }
            return words.joined(separator: ", ")
        }
        if let elements = value.array { return elements.map(Self.of).joined(separator: ", ") }
        return value.description
    }
}
