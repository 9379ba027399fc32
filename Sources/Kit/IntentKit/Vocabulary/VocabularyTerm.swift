/// An entry of a vocabulary, prepared for lookup: what it stands for, and its phrases.
package struct VocabularyTerm: Hashable, Sendable {
    package struct Phrase: Hashable, Sendable {
        package var text: String
        /// How they sound, if not pronounced as written.
        package var pronunciation: String?

        package init(_ text: String, pronunciation: String? = nil) {
            self.text = text
            self.pronunciation = pronunciation
        }
    }

    /// What it stands for.
    package var identifier: String?
    /// Its phrases, the app's own first; at least one.
    package var phrases: [Phrase]

    package init(identifier: String?, phrases: [Phrase]) {
        self.identifier = identifier
        self.phrases = phrases
    }

    package init(_ entry: VocabularyEntry) {
        self.init(
            identifier: entry.vocabularyIdentifier,
            phrases: [Phrase(entry.spokenPhrase, pronunciation: entry.pronunciationHint)]
        )
    }
}
