/// A user's vocabulary of one type, as of one event (R37).
package struct UserVocabulary: Sendable {
    /// The position of the event that brought it: `topic/partition/offset`.
    package let version: String
    /// The entries, in order of importance.
    package let entries: [VocabularyEntry]
    /// The entries, ready to be looked up.
    package let index: VocabularyIndex

    package init(version: String, entries: [VocabularyEntry]) {
        self.version = version
        self.entries = entries
        self.index = VocabularyIndex(entries.map(VocabularyTerm.init))
    }

    /// Reads its form in the state of a stage; nil when that is no vocabulary.
    package init?(json: JSONValue) {
        guard let version = json["version"]?.string, let strings = json["strings"]?.array else { return nil }
        self.init(version: version, entries: strings.compactMap(VocabularyEntry.init(json:)))
    }

    /// Its form in the state of a stage.
    package var json: JSONValue {
        ["version": .string(self.version), "strings": .array(self.entries.map(\.json))]
    }

    /// What words mean, in order of importance.
    package func matches(_ query: VocabularyQuery) -> [VocabularyMatch] {
        self.index.matches(of: query.words, locale: query.locale)
            .map { index, means in
                VocabularyMatch(
                    source: .user,
                    name: query.type?.rawValue ?? "",
                    version: self.version,
                    index: index,
                    means: means,
                    identifier: self.entries[index].vocabularyIdentifier,
                    phrase: self.entries[index].spokenPhrase
                )
            }
    }
}
