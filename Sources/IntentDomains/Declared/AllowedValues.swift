import IntentKit

/// The values that a declared parameter may have, ready to be looked up however they are said.
struct AllowedValues: Sendable {
    /// The most values that the user is offered to choose from.
    static let maximumOptions = 20

    /// The values, in declared order.
    let values: [JSONValue]

    private let type: DeclaredType
    private let exact: Set<JSONValue>
    private let byKey: [String: [Int]]
    private let byWord: [String: [Int]]
    private let letters: [[Unicode.Scalar]]

    /// Prepares values of a type, each in its one form.
    init(_ values: [JSONValue], type: DeclaredType) {
        self.values = values
        self.type = type
        self.exact = Set(values)
        var byKey: [String: [Int]] = [:]
        var byWord: [String: [Int]] = [:]
        var letters: [[Unicode.Scalar]] = []
        for (index, value) in values.enumerated() {
            guard let text = type.words(value) else { continue }
            let key = text.matchingKey
            byKey[key, default: []].append(index)
            letters.append(Array(key.unicodeScalars))
            for word in text.matchingWords { byWord[word, default: []].append(index) }
        }
        self.byKey = byKey
        self.byWord = byWord
        self.letters = letters
    }

    /// Which value is meant (R50): the very one, one that differs in case, accents or spacing only, one that a
    /// vocabulary knows by other words (R25), else a choice of those within a few slips or sharing a word.
    func outcome(for value: JSONValue, _ lookup: WordLookup = .nobody) -> ResolutionOutcome {
        if self.exact.contains(value) { return .success(value) }
        guard let text = self.type.words(value) else { return .unsupported(forReason: .notAmongValues) }
        let key = text.matchingKey
        let same = self.byKey[key] ?? []
        if same.count == 1 { return .success(self.values[same[0]]) }
        let meant = same.isEmpty ? self.places(of: lookup.matches(text)) : []
        if meant.count == 1 { return .success(self.values[meant[0]]) }
        let options = !same.isEmpty ? same : !meant.isEmpty ? meant : self.similar(to: text, key: key)
        if options.isEmpty { return .unsupported(forReason: .notAmongValues) }
        return .disambiguation(options.prefix(Self.maximumOptions).map { self.values[$0] })
    }

    /// The places of the values that a vocabulary's entries stand for: by identifier, else by phrase.
    private func places(of matches: [VocabularyMatch]) -> [Int] {
        var places: [Int] = []
        for match in matches {
            let named = match.identifier.flatMap { self.byKey[$0.matchingKey] } ?? self.byKey[match.phrase.matchingKey]
            for place in named ?? [] where !places.contains(place) { places.append(place) }
        }
        return places
    }

    /// The places of values that may be meant: those with the fewest slips first, then those that share a word.
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
