/// Words that are looked up in a user's vocabulary of a type, then in the global one of a parameter (R25).
package struct VocabularyQuery: Hashable, Sendable {
    /// What the user said.
    package var words: String
    /// The type of the user's own vocabulary, if there is one for such words.
    package var type: VocabularyStringType?
    /// The path of the parameter in the global one: `INStartWorkoutIntent.workoutName`.
    package var parameter: String?
    /// The language that the user speaks.
    package var locale: String

    package init(words: String, type: VocabularyStringType?, parameter: String?, locale: String) {
        self.words = words
        self.type = type
        self.parameter = parameter
        self.locale = locale
    }

    /// The query without the words: the name of the journal's read.
    package var name: String { [self.type?.rawValue, self.parameter].compactMap { $0 }.joined(separator: " ") }
}
