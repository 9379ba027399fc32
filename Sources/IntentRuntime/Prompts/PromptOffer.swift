package import IntentKit

/// The values among which a prompt has the user choose, and what they are called.
package struct PromptOffer {
    /// The values as they stand on the wire.
    package let options: [JSONValue]
    private let isEnumeration: Bool
    private let titles: [JSONValue: LocalizedText]

    /// Takes the values of a parameter.
    ///
    /// - Parameters:
    ///   - options: The values.
    ///   - parameter: The parameter; nil for none that is known.
    ///   - constraints: What is known of its values.
    package init(_ options: [JSONValue], of parameter: ParameterDescription?, _ constraints: ParameterConstraints?) {
        self.options = options
        self.isEnumeration = parameter?.typeName == "enum"
        self.titles = constraints?.titles ?? [:]
    }

    /// A value as it is said: by its title, else its name as words.
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

    /// The one of the values that the user calls by these words, in whatever language; nil for none, or several.
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
