/// Finds what somebody may have meant.
enum NearMiss {
    /// `; did you mean X?` when one of the candidates is close to the text, else nothing.
    static func hint(_ text: String, among candidates: [String]) -> String {
        let best = candidates.map { ($0, Self.distance(text.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
        guard let (candidate, distance) = best, distance <= max(2, candidate.count / 4) else { return "" }
        return "; did you mean \(candidate)?"
    }

    /// How many characters are to be changed, left out or put in.
    static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var previous = Array(0...second.count)
        for (row, character) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                current.append(
                    min(previous[column + 1] + 1, current[column] + 1, previous[column] + (character == other ? 0 : 1))
                )
            }
            previous = current
        }
        return previous[second.count]
    }
}
