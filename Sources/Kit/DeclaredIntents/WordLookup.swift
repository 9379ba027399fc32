import IntentKit

/// Looks up the user's words while a declared parameter is resolved.
struct WordLookup {
    /// Whether the user's contacts may be used.
    var hasContactsAccess = true
    /// What words mean according to vocabularies, in order of importance.
    var matches: (String) -> [VocabularyMatch] = { _ in [] }

    /// A lookup without vocabularies, for values that are checked before anybody speaks.
    static var nobody: WordLookup { WordLookup() }

    /// Asks the vocabularies of a turn for a parameter of an intent.
    static func asking(_ context: TurnContext, intent: String, parameter: ParameterDefinition) -> WordLookup {
        let type: VocabularyStringType? =
            if case .ofUser(let type) = parameter.vocabulary { type } else { nil }
        // Only the name: a definition is large to copy.
        let name = parameter.name
        return WordLookup(hasContactsAccess: context.user.hasContactsAccess) { words in
            context.vocabularyMatches(for: words, type: type, parameter: "\(intent).\(name)")
        }
    }
}

extension AllowedValues {
    /// Prepares values of a declared type, each in its canonical form.
    init(_ values: [JSONValue], type: DeclaredType) {
        self.init(values, words: type.words)
    }

    /// Finds the value that is meant (R50).
    func outcome(for value: JSONValue, _ lookup: WordLookup = .nobody) -> ResolutionOutcome {
        self.outcome(for: value, lookup.matches)
    }
}
