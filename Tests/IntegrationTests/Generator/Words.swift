import IntentKit

/// How the model compares what was said with the allowed values.
enum Words {
    /// Without case, accents and spaces.
    static func key(_ text: String) -> String {
        let plain: [Character: Character] = ["é": "e", "è": "e", "ä": "a", "ö": "o", "ü": "u"]
        return String(text.lowercased().filter { !$0.isWhitespace }.map { plain[$0] ?? $0 })
    }

    /// The meaning of a text where only these words are valid (R50): the same, one or two mistakes away, or with a word
    /// in common.
    ///
    /// It is not specified how many mistakes are few: one is, four are not, and between them the meaning is unclear.
    static func judge(_ text: String, among words: [String]) -> ModelParameter.Judgement {
        let said = Self.key(text)
        let same = words.filter { Self.key($0) == said }
        if same.count == 1 { return .good(.string(same[0])) }
        if same.count > 1 { return .choice(same) }
        if let titled = words.first(where: { Sayings.titles[$0].map(Self.key) == said }) {
            return .good(.string(titled))
        }
        let distances = words.map { Self.slips(Array(said), Array(Self.key($0))) }
        if distances.contains(where: { (2...3).contains($0) }) { return .unclear }
        let near = words.indices.filter { distances[$0] == 1 }
        let parts = Self.parts(text)
        let sharing = words.indices.filter { !parts.isDisjoint(with: Self.parts(words[$0])) }
        if said.count < 6, !near.isEmpty { return .unclear }
        if !near.isEmpty, !Set(sharing).isSubset(of: near) { return .unclear }
        let options = near.isEmpty ? sharing : near
        return options.isEmpty ? .unsupported : .choice(options.map { words[$0] })
    }

    private static func parts(_ text: String) -> Set<String> {
        Set(text.split { !$0.isLetter && !$0.isNumber }.map { Self.key(String($0)) })
    }

    /// Letters to be changed, left out or added to make one of the other.
    private static func slips(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let change = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
