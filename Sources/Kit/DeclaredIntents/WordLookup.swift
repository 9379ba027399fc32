import IntentKit

/// Looks up the user's words while a declared parameter is resolved.
struct WordLookup {
    /// A turn's vocabularies for a parameter of an intent.
    private struct Vocabularies {
        var context: TurnContext
        var type: VocabularyStringType?
        var intent: String
        var parameter: String
    }

    /// Whether the user's contacts may be used.
    var hasContactsAccess = true
    private var vocabularies: Vocabularies?

    /// A lookup without vocabularies, for values that are checked before anybody speaks.
    static var nobody: WordLookup { WordLookup() }

    /// Asks the vocabularies of a turn for a parameter of an intent.
    static func asking(
        _ context: TurnContext,
        intent: String,
        parameter: String,
        in vocabulary: ParameterVocabulary?
    ) -> WordLookup {
        let type: VocabularyStringType? = if case .ofUser(let type) = vocabulary { type } else { nil }
        return WordLookup(
            hasContactsAccess: context.user.hasContactsAccess,
            vocabularies: Vocabularies(context: context, type: type, intent: intent, parameter: parameter)
        )
    }

    /// What words mean according to vocabularies, in order of importance.
    func matches(_ words: String) -> [VocabularyMatch] {
        guard let asked = self.vocabularies else { return [] }
        let path = "\(asked.intent).\(asked.parameter)"
        return asked.context.vocabularyMatches(for: words, type: asked.type, parameter: path)
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
