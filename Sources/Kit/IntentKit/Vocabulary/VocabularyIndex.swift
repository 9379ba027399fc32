/// A vocabulary prepared for lookup: made once, and used by every turn until the vocabulary changes.
package struct VocabularyIndex: Sendable {
    private struct Entry: Sendable {
        var index: Int
        var means: VocabularyMatch.Means
    }

    /// The entries, in order of importance.
    package let terms: [VocabularyTerm]
    private var byIdentifier: [String: [Int]] = [:]
    private var byKey: [String: [Entry]] = [:]

    package init(_ terms: [VocabularyTerm]) {
        self.terms = terms
        for (index, term) in terms.enumerated() {
            if let identifier = term.identifier {
                self.byIdentifier[identifier, default: []].append(index)
                self.add(identifier, .identifier, index)
            }
            for (ordinal, phrase) in term.phrases.enumerated() {
                self.add(phrase.text, ordinal == 0 ? .phrase : .synonym, index)
                if let pronunciation = phrase.pronunciation { self.add(pronunciation, .pronunciation, index) }
            }
        }
    }

    private mutating func add(_ text: String, _ means: VocabularyMatch.Means, _ index: Int) {
        let key = text.matchingKey
        // An entry counts once for one key: its first matching phrase names the match.
        guard !key.isEmpty, self.byKey[key]?.last?.index != index else { return }
        self.byKey[key, default: []].append(Entry(index: index, means: means))
    }

    /// The entries that the words mean, in order of importance.
    ///
    /// Words that are exactly an identifier mean only that entity: this is how apps name a choice that the user made.
    package func matches(of words: String, locale: String) -> [(index: Int, means: VocabularyMatch.Means)] {
        if let exact = self.byIdentifier[words] { return exact.map { ($0, .identifier) } }
        for key in words.matchingKeys(locale: locale) {
            if let found = self.byKey[key] { return found.map { ($0.index, $0.means) } }
        }
        return []
    }
}
