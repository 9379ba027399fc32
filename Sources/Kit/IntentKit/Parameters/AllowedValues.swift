/// The values that a parameter may have, prepared for matching what a user says.
package struct AllowedValues: Sendable {
    /// The most values that the user is offered to choose from.
    package static let maximumOptions = 20

    /// The values, in declared order.
    package let values: [JSONValue]

    private let words: @Sendable (JSONValue) -> String?
    private let exact: Set<JSONValue>
    private let byKey: [String: [Int]]
    /// The values by their titles and synonyms, in any language.
    private let byDisplay: [String: [Int]]
    private let byWord: [String: [Int]]
    private let letters: [[Unicode.Scalar]]

    /// Prepares values, each in its one form.
    ///
    /// - Parameters:
    ///   - values: The values, in declared order.
    ///   - displays: The declared words of those that have some.
    ///   - words: The words by which values of their type are matched when they are not said exactly.
    package init(
        _ values: [JSONValue],
        displays: [JSONValue: DisplayRepresentation] = [:],
        words: @escaping @Sendable (JSONValue) -> String?
    ) {
        self.values = values
        self.words = words
        self.exact = Set(values)
        var byKey: [String: [Int]] = [:]
        var byWord: [String: [Int]] = [:]
        var byDisplay: [String: [Int]] = [:]
        var letters: [[Unicode.Scalar]] = []
        for (index, value) in values.enumerated() {
            if let display = displays[value] {
                let texts = ([display.title] + display.synonyms).flatMap(\.texts)
                for key in Set(texts.map(\.matchingKey)) { byDisplay[key, default: []].append(index) }
            }
            guard let text = words(value) else { continue }
            let key = text.matchingKey
            byKey[key, default: []].append(index)
            letters.append(Array(key.unicodeScalars))
            for word in text.matchingWords { byWord[word, default: []].append(index) }
        }
        self.byKey = byKey
        self.byDisplay = byDisplay
        self.byWord = byWord
        self.letters = letters
    }

    /// Finds the value that is meant: the exact one, one that differs only in case, accents or spacing, one of that title
    /// or synonym (R71), or one that a vocabulary knows by other words (R25).
    ///
    /// Otherwise returns a choice of those within a small edit distance or sharing a word.
    package func outcome(for value: JSONValue, _ matches: (String) -> [VocabularyMatch]) -> ResolutionOutcome {
        if self.exact.contains(value) { return .success(value) }
        guard let text = self.words(value) else { return .unsupported(forReason: .notAmongValues) }
        let key = text.matchingKey
        let same = self.byKey[key] ?? self.byDisplay[key] ?? []
        if same.count == 1 { return .success(self.values[same[0]]) }
        let meant = same.isEmpty ? self.indices(of: matches(text)) : []
        if meant.count == 1 { return .success(self.values[meant[0]]) }
        let options = !same.isEmpty ? same : !meant.isEmpty ? meant : self.similar(to: text, key: key)
        if options.isEmpty { return .unsupported(forReason: .notAmongValues) }
        return .choosing(among: options.prefix(Self.maximumOptions).map { self.values[$0] })
    }

    /// The indices of the values that a vocabulary's entries stand for: by identifier, else by phrase.
    private func indices(of matches: [VocabularyMatch]) -> [Int] {
        var indices: [Int] = []
        for match in matches {
            let named = match.identifier.flatMap { self.byKey[$0.matchingKey] } ?? self.byKey[match.phrase.matchingKey]
            for index in named ?? [] where !indices.contains(index) { indices.append(index) }
        }
        return indices
    }

    /// The indices of values that may be meant: those with the smallest edit distance first, then those that share a
    /// word.
    private func similar(to text: String, key: String) -> [Int] {
        let said = Array(key.unicodeScalars)
        let limit = EditDistance.limit(length: said.count)
        var near: [(distance: Int, index: Int)] = []
        for (index, letters) in self.letters.enumerated() {
            if let distance = EditDistance.between(said, letters, limit: limit) { near.append((distance, index)) }
        }
        near.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
        var found = near.map(\.index)
        let close = Set(found)
        let sharing = text.matchingWords.reduce(into: Set<Int>()) { $0.formUnion(self.byWord[$1] ?? []) }
        found += sharing.subtracting(close).sorted()
        return found
    }
}
