package import IntentKit

/// Converts what a person types to a parameter's value (R11).
package enum TypedText {
    /// The value of a parameter: JSON of its type, else the text itself, which the stage reads (R73); a list is
    /// separated by commas.
    package static func value(_ text: String, for parameter: ParameterDescription?) -> JSONValue {
        guard let parameter else { return .string(text) }
        guard parameter.isList else { return self.single(text, for: parameter) }
        if let json = try? JSONValue(parsing: text), json.array != nil { return json }
        return .array(text.split(separator: ",").map { self.single($0.trimming, for: parameter) })
    }

    private static func single(_ text: String, for parameter: ParameterDescription) -> JSONValue {
        if let json = try? JSONValue(parsing: text), parameter.accepts(json) { return json }
        return .string(text)
    }
}

extension StringProtocol {
    /// The text without white space around it.
    package var trimming: String {
        var rest = self[...]
        while rest.first?.isWhitespace ?? false { rest = rest.dropFirst() }
        while rest.last?.isWhitespace ?? false { rest = rest.dropLast() }
        return String(rest)
    }
}
