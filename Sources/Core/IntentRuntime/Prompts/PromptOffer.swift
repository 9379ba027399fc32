package import IntentKit

/// The values that a prompt offers as options, and their words.
package struct PromptOffer {
    /// The values on the wire.
    package let options: [JSONValue]
    private let isEnumeration: Bool
    /// The names of the enumeration's values; nil if every text counts as one.
    private let names: [JSONValue]?
    private let titles: [JSONValue: LocalizedText]

    /// Prepares the values of a parameter.
    ///
    /// - Parameters:
    ///   - options: The values.
    ///   - parameter: The parameter; nil for an unknown one.
    ///   - constraints: What is declared about its values.
    ///   - readsNames: Whether a text that is no name of a value is left as it is. Versions before behaviour 5 showed
    ///     every text as a name is shown, in lower case.
    package init(
        _ options: [JSONValue],
        of parameter: ParameterDescription?,
        _ constraints: ParameterConstraints?,
        readsNames: Bool = true
    ) {
        self.options = options
        self.names = readsNames ? constraints?.values : nil
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
        if self.isEnumeration, let name = value.string, self.names?.contains(value) ?? true {
            return PromptWords.of(name: name)
        }
        return PromptWords.of(value)
    }

    /// The value that the user calls by these words, in any language; nil for none, or several.
    package func option(called text: String) -> JSONValue? {
        let found = self.options(called: text.matchingKey)
        return found.count == 1 ? found[0] : nil
    }

    /// The values that the first of these keys finds that finds any (``Swift/String/matchingKeys(locale:)``).
    package func options(calledAnyOf keys: [String]) -> [JSONValue] {
        keys.lazy.map { self.options(called: $0) }.first { !$0.isEmpty } ?? []
    }

    private func options(called key: String) -> [JSONValue] {
        guard !key.isEmpty else { return [] }
        return self.options.filter { option in
            let names = [option.string.map { self.isEnumeration ? PromptWords.of(name: $0) : $0 }] + [option.string]
            return names.contains { $0?.matchingKey == key }
                || (self.titles[option]?.texts ?? []).contains { $0.matchingKey == key }
        }
    }
}
