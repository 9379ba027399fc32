internal import IntentKit

/// What to say at a prompt when the intent does not say it itself.
enum PromptDialog {
    static func text(for prompt: Prompt, title: String) -> String {
        let parameter = prompt.parameter.map(Self.words) ?? ""
        let item = prompt.item.map(Self.words) ?? ""
        switch prompt.kind {
        case .needsValue:
            return "What is the \(parameter)?"
        case .disambiguation:
            return "Which \(parameter) do you mean: \(Self.list(prompt.options))?"
        case .confirmationRequired:
            return "Do you mean \(item)?"
        case .unsupported:
            let reason = prompt.reason.map { " (\(Self.words($0.name)))" } ?? ""
            let value = item.isEmpty ? "This \(parameter)" : "\(item)"
            return "\(value) can't be used as \(parameter)\(reason). What should it be?"
        case .intentConfirmation:
            return "\(title): shall I go on?"
        case .unlockRequired:
            return "Unlock your device to go on."
        case .authenticationRequired:
            return "Sign in to go on."
        }
    }

    /// A parameter's name as words: `departure_date` and `departureDate` are both read as "departure date".
    private static func words(_ name: String) -> String {
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

    private static func words(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        for key in ["displayName", "spokenPhrase", "name", "value"] {
            if let text = value[key]?.string { return text }
        }
        if let amount = value["amount"]?.string, let code = value["currencyCode"]?.string { return "\(amount) \(code)" }
        return value.description
    }

    private static func list(_ options: [JSONValue]) -> String {
        let texts = options.map(Self.words)
        guard texts.count > 1, let last = texts.last else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " or " + last
    }
}
