/// An entry of a vocabulary as it is looked up: what it stands for, and the ways to say it.
package struct VocabularyTerm: Hashable, Sendable {
    /// A way to say it.
    package struct Phrase: Hashable, Sendable {
        /// The words.
        package var text: String
        /// How they sound, if not as they are written.
        package var pronunciation: String?

        /// Describes a way to say it.
        package init(_ text: String, pronunciation: String? = nil) {
            self.text = text
            self.pronunciation = pronunciation
        }
    }

    /// What it stands for.
    package var identifier: String?
    /// The ways to say it, the app's own first; at least one.
    package var phrases: [Phrase]

    /// Describes an entry.
    package init(identifier: String?, phrases: [Phrase]) {
        self.identifier = identifier
        self.phrases = phrases
    }

    /// The entry of a user's vocabulary.
    package init(_ entry: VocabularyEntry) {
        self.init(
            identifier: entry.vocabularyIdentifier,
            phrases: [Phrase(entry.spokenPhrase, pronunciation: entry.pronunciationHint)]
        )
    }
}
