/// Counts the slips between two words: letters changed, left out, added, or two neighbours swapped
/// (Damerau–Levenshtein, each substring edited once).
package enum EditDistance {
    /// The number of slips that a word of this length may have and still match.
    package static func limit(length: Int) -> Int {
        switch length {
        case ...2: 0
        case 3...5: 1
        case 6...9: 2
        default: 3
        }
    }

    /// The distance, or nil when it is more than the limit.
    ///
    /// Takes time in proportion to the shorter text times the limit: only cells near the diagonal are computed.
    package static func between(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
        guard abs(first.count - second.count) <= limit else { return nil }
        if first == second { return 0 }
        if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
        let far = limit + 1
        var beforeLast = [Int](repeating: far, count: second.count + 1)
        var last = (0...second.count).map { min($0, far) }
        var current = beforeLast
        for row in 1..<(first.count + 1) {
            let low = max(1, row - limit)
            let high = min(second.count, row + limit)
            // The rows are reused in turn; cells just outside the range of this one are too far.
            current[low - 1] = low == 1 ? min(row, far) : far
            if high < second.count { current[high + 1] = far }
            var best = current[low - 1]
            for column in low...high {
                let change = first[row - 1] == second[column - 1] ? 0 : 1
                var cost = min(last[column - 1] + change, last[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current[column] = min(cost, far)
                best = min(best, cost)
            }
            if best > limit { return nil }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[second.count] <= limit ? last[second.count] : nil
    }
}
