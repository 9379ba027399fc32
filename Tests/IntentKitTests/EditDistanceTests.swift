import IntentKit
import IntentLab
import Testing

@Suite("Typos between two words")
struct EditDistanceTests {
    /// Damerau–Levenshtein with each substring edited once, cell by cell.
    private static func whole(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var cells = [[Int]](repeating: [Int](repeating: 0, count: second.count + 1), count: first.count + 1)
        for row in 0...first.count {
            for column in 0...second.count {
                guard row > 0, column > 0 else {
                    cells[row][column] = row + column
                    continue
                }
                let change = first[row - 1] == second[column - 1] ? 0 : 1
                var cost = min(
                    cells[row - 1][column - 1] + change,
                    cells[row - 1][column] + 1,
                    cells[row][column - 1] + 1
                )
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    cost = min(cost, cells[row - 2][column - 2] + 1)
                }
                cells[row][column] = cost
            }
        }
        return cells[first.count][second.count]
    }

    @Test("A changed, missing or added letter, or two swapped neighbours, counts as one typo")
    func countsEachTypoOnce() {
        func distance(_ first: String, _ second: String) -> Int? {
            EditDistance.between(Array(first.unicodeScalars), Array(second.unicodeScalars), limit: 3)
        }
        #expect(distance("tea", "tea") == 0)
        #expect(distance("tea", "sea") == 1)
        #expect(distance("tea", "ea") == 1)
        #expect(distance("tea", "teas") == 1)
        #expect(distance("united", "untied") == 1)
        #expect(distance("ab", "ba") == 1)
        #expect(distance("abcd", "badc") == 2)
        // Letters that only stand crosswise in part are not swapped.
        #expect(distance("abc", "cbd") == 2)
        #expect(distance("ca", "abc") == 3)
        #expect(distance("", "abc") == 3)
        #expect(distance("", "abcd") == nil)
    }

    @Test(
        "Computing near the diagonal gives the same distance as the whole table, and nothing beyond the limit",
        arguments: 0...4
    )
    func bandedDistanceMatchesFullTable(limit: Int) {
        var numbers = SeededNumbers(seed: UInt64(limit) + 1)
        let letters: [Unicode.Scalar] = ["a", "b", "c"]
        for _ in 0..<4_000 {
            var words: [[Unicode.Scalar]] = []
            for _ in 0..<2 {
                let length = Int.random(in: 0...8, using: &numbers)
                words.append((0..<length).map { _ in letters.randomElement(using: &numbers)! })
            }
            let distance = Self.whole(words[0], words[1])
            let found = EditDistance.between(words[0], words[1], limit: limit)
            #expect(found == (distance <= limit ? distance : nil), "\(words)")
        }
    }
}
