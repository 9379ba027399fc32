import IntentKit

/// Turns what a person types into a parameter's value (R11).
enum TypedText {
    /// The value of a parameter: JSON where the type is not text, the text itself otherwise; a list is separated by
    /// commas.
    static func value(_ text: String, for parameter: ParameterDescription?) -> JSONValue {
        guard let parameter else { return .string(text) }
        if let json = try? JSONValue(parsing: text), parameter.isList ? json.array != nil : parameter.accepts(json) {
            return json
        }
        guard parameter.isList else { return .string(text) }
        return .array(
            text.split(separator: ",")
                .map { part in
                    let word = part.trimming
                    if let json = try? JSONValue(parsing: word), parameter.accepts(json) { return json }
                    return .string(word)
                }
        )
    }
}

extension StringProtocol {
    /// The text without white space around it.
    var trimming: String {
        var rest = self[...]
        while rest.first?.isWhitespace ?? false { rest = rest.dropFirst() }
        while rest.last?.isWhitespace ?? false { rest = rest.dropLast() }
        return String(rest)
    }
}
