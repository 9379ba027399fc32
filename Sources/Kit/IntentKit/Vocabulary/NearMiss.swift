/// Finds suggestions for misspelled names.
package enum NearMiss {
    private static let limit = 3

    /// `; did you mean X?` when candidates are close to the text, otherwise nothing.
    package static func hint(_ text: String, among candidates: [String]) -> String {
        let found = Self.find(text, among: candidates)
        guard let last = found.last else { return "" }
        let others = found.dropLast().joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? "" : others + " or ")\(last)?"
    }

    /// The candidates that are closest to the text, in their own order; none when all are far from it.
    ///
    /// When none is close as a misspelling, candidates that begin with the text or contain it count: `dead` is near
    /// `dead-letters`. When there is none of these either, candidates that it abbreviates count: `params` is near
    /// `parameters`.
    package static func find(_ text: String, among candidates: [String]) -> [String] {
        // The distance takes the product of both lengths.
        guard text.utf8.count <= 200 else { return [] }
        let lowered = text.lowercased()
        var unique: [String] = []
        for candidate in candidates where !unique.contains(candidate) { unique.append(candidate) }
        let distances = unique.map { Self.distance(lowered, $0.lowercased()) }
        let near = zip(unique, distances).filter { $1 <= Self.maximumDistance($0) }
        if let least = near.map(\.1).min() { return near.filter { $0.1 == least }.prefix(Self.limit).map(\.0) }
        guard lowered.count >= 3 else { return [] }
        let beginning = unique.filter { $0.lowercased().hasPrefix(lowered) }
        let holding = beginning.isEmpty ? unique.filter { $0.lowercased().contains(lowered) } : beginning
        let similar = holding.isEmpty ? unique.filter { Self.abbreviates(lowered, $0.lowercased()) } : holding
        return similar.count <= Self.limit ? similar : []
    }

    /// The candidate that a name differs from in letter case alone, or by one slip if it has at least four letters.
    ///
    /// Stricter than ``find(_:among:)``, for names that may be somebody's own.
    package static func slip(_ text: String, among candidates: [String]) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let lowered = text.lowercased()
        return candidates.first { candidate in
            guard abs(candidate.utf8.count - text.utf8.count) <= 1 else { return false }
            let distance = Self.distance(lowered, candidate.lowercased())
            return distance == 0 || distance == 1 && candidate.count >= 4
        }
    }

    /// Whether a text has at least half of a word's letters, the first one among them, in the word's order.
    private static func abbreviates(_ text: String, _ word: String) -> Bool {
        guard text.first == word.first, 2 * text.count >= word.count else { return false }
        var rest = text[...]
        for letter in word where letter == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }

    /// The number of mistakes that are assumed in a word: fewer in a short one, since everything is close to it.
    private static func maximumDistance(_ word: String) -> Int {
        switch word.count {
        case ..<2: 0
        case 2...3: 1
        default: max(2, word.count / 4)
        }
    }

    /// The number of characters to change, remove, insert, or swap with the next one.
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var before: [Int] = []
        var previous = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                var least = min(previous[column + 1], current[column]) + 1
                least = min(least, previous[column] + (first[row] == second[column] ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            (before, previous) = (previous, current)
        }
        return previous[second.count]
    }
}
