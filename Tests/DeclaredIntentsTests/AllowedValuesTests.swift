import IntentKit
import IntentLab
import Testing

@testable import DeclaredIntents

@Suite("R50: values that are not declared")
struct AllowedValuesTests {
    private let airlines = AllowedValues(
        ["United Airlines", "Air Canada", "Air France", "Ægir Flyg", "Tap", "Tam"],
        type: .string
    )

    @Test("An exact match comes before similar values")
    func putsExactValueFirst() {
        let allowed = AllowedValues(["new york", "New York"], type: .string)
        #expect(allowed.outcome(for: "New York") == .success("New York"))
        #expect(allowed.outcome(for: "NEW YORK") == .disambiguation(["new york", "New York"]))
    }

    @Test("Case, accents and spacing make no difference", arguments: ["air canada", "ÁirCanada", " AIR  CANADA "])
    func ignoresCaseAccentsAndSpacing(text: String) {
        #expect(self.airlines.outcome(for: .string(text)) == .success("Air Canada"))
    }

    @Test("Typos (changed, missing, added, swapped letters) are tolerated, the fewest first")
    func offersFewestTyposFirst() {
        #expect(self.airlines.outcome(for: "Untied Arlines") == .disambiguation(["United Airlines"]))
        #expect(self.airlines.outcome(for: "Tan") == .disambiguation(["Tap", "Tam"]))
        #expect(self.airlines.outcome(for: "Tapp") == .disambiguation(["Tap"]))
    }

    @Test("Values that share a word come after those with few typos")
    func offersSharedWordsAfterTypos() {
        #expect(self.airlines.outcome(for: "Air Frances") == .disambiguation(["Air France", "Air Canada"]))
        #expect(self.airlines.outcome(for: "fly with united") == .disambiguation(["United Airlines"]))
    }

    @Test("A value that resembles none is refused", arguments: ["Zeppelin", "T", "airlin"])
    func refusesUnlikeValue(text: String) {
        #expect(self.airlines.outcome(for: .string(text)) == .refused(.notAmongValues))
    }

    @Test("R71: titles and synonyms find a value in any language; a value's own name comes first")
    func findsValueByTitleOrSynonym() {
        let allowed = AllowedValues(
            ["checkup", "other", "shots"],
            displays: [
                "checkup": DisplayRepresentation(title: ["de": "Vorsorge", "en": "Other"], synonyms: ["exam"]),
                "shots": DisplayRepresentation(title: ["de": "Impfung"], synonyms: [["de": "Vorsorge"], "Pieks"]),
            ],
            words: { $0.string }
        )
        #expect(allowed.outcome(for: "EXAM") == .success("checkup"))
        #expect(allowed.outcome(for: "impfung") == .success("shots"))
        #expect(allowed.outcome(for: "OTHER") == .success("other"))
        #expect(allowed.outcome(for: "Vorsorge") == .disambiguation(["checkup", "shots"]))
    }

    @Test("Numbers match exactly: no typos are tolerated in them")
    func toleratesNoTyposInNumbers() {
        let allowed = AllowedValues([1, 2, 10], type: .integer)
        #expect(allowed.outcome(for: 10) == .success(10))
        #expect(allowed.outcome(for: 11) == .refused(.notAmongValues))
    }

    @Test("People and places are matched by name")
    func matchesPeopleAndPlacesByName() {
        let diana: JSONValue = ["spokenPhrase": "Diana", "identifier": "d"]
        let allowed = AllowedValues([diana], type: .person)
        #expect(allowed.outcome(for: ["spokenPhrase": "diana"]) == .success(diana))
        #expect(allowed.outcome(for: ["spokenPhrase": "dianna"]) == .choosing(among: [diana]))
    }

    @Test("The number of options is bounded, however many values there are")
    func boundsOfferedOptions() {
        let allowed = AllowedValues((0..<5_000).map { .string("street number \($0)") }, type: .string)
        guard case .disambiguation(let options) = allowed.outcome(for: "street") else {
            Issue.record("all of them share a word")
            return
        }
        #expect(options.count == AllowedValues.maximumOptions)
        let long = String(repeating: "x", count: 65_536)
        #expect(allowed.outcome(for: .string(long)) == .refused(.notAmongValues))
    }

    @Test(
        "The edit distance between two words",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1), ("abc", "ab", 1), ("ab", "abc", 1),
            ("kitten", "sitting", 3), ("ca", "abc", 3), ("abcdef", "badcfe", 3), ("a", "", 1),
        ]
    )
    func countsDistanceBetweenWords(first: String, second: String, expected: Int) {
        let (one, other) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
        #expect(EditDistance.between(one, other, limit: 3) == expected)
        #expect(EditDistance.between(other, one, limit: 3) == expected)
        if expected > 0 { #expect(EditDistance.between(one, other, limit: expected - 1) == nil) }
    }

    @Test("Within its limit, the bounded distance equals the full one")
    func boundedDistanceEqualsFullWithinLimit() {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<2_000 {
            let words = (0..<2)
                .map { _ in
                    (0..<Int.random(in: 0...8, using: &random))
                        .map { _ in
                            Unicode.Scalar(UInt8.random(in: 97...99, using: &random))
                        }
                }
            let full = Self.fullDistance(words[0], words[1])
            for limit in 0...4 {
                #expect(EditDistance.between(words[0], words[1], limit: limit) == (full <= limit ? full : nil))
            }
        }
    }

    private static func fullDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var table = (0...first.count).map { row in (0...second.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
        for row in first.indices {
            for column in second.indices {
                let change = first[row] == second[column] ? 0 : 1
                var cost = min(table[row][column] + change, table[row][column + 1] + 1, table[row + 1][column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, table[row - 1][column - 1] + 1)
                }
                table[row + 1][column + 1] = cost
            }
        }
        return table[first.count][second.count]
    }
}
