package import IntentKit

/// The values that a prompt offers as options, and their words.
package struct PromptOffer {
    /// The values on the wire.
    package let options: [JSONValue]
    private let isEnumeration: Bool
    private let titles: [JSONValue: LocalizedText]

    /// Prepares the values of a parameter.
    ///
    /// - Parameters:
    ///   - options: The values.
    ///   - parameter: The parameter; nil for an unknown one.
    ///   - constraints: What is declared about its values.
    package init(_ options: [JSONValue], of parameter: ParameterDescription?, _ constraints: ParameterConstraints?) {
        self.options = options
        self.isEnumeration = parameter?.typeName == "enum"
        self.titles = constraints?.titles ?? [:]
    }

    /// A value in words: its title, else its name as words.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - locale: The user's language.
    /// - Returns: The words.
    package func words(_ value: JSONValue, locale: String) -> String {
        if let title = self.titles[value]?.text(locale: locale) { return title }
        if let answer = value.bool {
            let (yes, no) = (BuiltInLanguages.language(locale) ?? BuiltInLanguages.english).yesAndNo
            return answer ? yes : no
        }
        if self.isEnumeration, let name = value.string { return PromptWords.of(name: name) }
        return PromptWords.of(value)
    }

    /// The value that the user calls by these words, in any language; nil for none, or several.
    package func option(called text: String) -> JSONValue? {
        let key = text.matchingKey
        let found = self.options.filter { option in
            let names = [option.string.map { self.isEnumeration ? PromptWords.of(name: $0) : $0 }] + [option.string]
            return names.contains { $0?.matchingKey == key }
                || (self.titles[option]?.texts ?? []).contains { $0.matchingKey == key }
        }
        return found.count == 1 ? found[0] : nil
    }
}
