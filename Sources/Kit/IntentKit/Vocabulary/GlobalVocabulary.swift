/// The terms that all users share, in one language: the contents of an `AppIntentVocabulary` file (R36).
public struct GlobalVocabulary: Sendable {
    /// The language of its terms, as a BCP 47 tag; empty for the file that serves where no other does.
    public let locale: String
    /// Identifies this content: the locale and a digest.
    public let version: String
    /// How users ask for an intent, by the intent's name (`IntentPhrases`).
    public let intentExamples: [String: [String]]

    private let indices: [String: VocabularyIndex]

    /// Gathers the contents of a file.
    ///
    /// - Parameters:
    ///   - locale: The language; empty for the default file.
    ///   - digest: A digest of the file's content.
    ///   - terms: The entries by the path of their parameter, in order of importance.
    ///   - intentExamples: How users ask for an intent, by the intent's name.
    package init(
        locale: String,
        digest: String,
        terms: [String: [VocabularyTerm]],
        intentExamples: [String: [String]] = [:]
    ) {
        self.locale = locale
        self.version = "\(locale.isEmpty ? "default" : locale):\(digest)"
        self.intentExamples = intentExamples
        self.indices = terms.mapValues(VocabularyIndex.init)
    }

    /// The parameters that it has terms for, such as `INStartWorkoutIntent.workoutName`, sorted (behaviour 73).
    public var parameters: [String] { self.indices.keys.sorted() }

    /// The terms of a parameter, in order of importance.
    package func terms(of parameter: String) -> [VocabularyTerm] { self.indices[parameter]?.terms ?? [] }

    /// What words mean, in order of importance.
    package func matches(_ query: VocabularyQuery) -> [VocabularyMatch] {
        guard let parameter = query.parameter, let index = self.indices[parameter] else { return [] }
        return index.matches(of: query.words, locale: query.locale)
            .map { termIndex, means in
                VocabularyMatch(
                    source: .global,
                    name: parameter,
                    version: self.version,
                    index: termIndex,
                    means: means,
                    identifier: index.terms[termIndex].identifier,
                    phrase: index.terms[termIndex].phrases[0].text
                )
            }
    }

    /// Whether it has terms for a parameter.
    func covers(_ parameter: String) -> Bool { self.indices[parameter] != nil }
}
