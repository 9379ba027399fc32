@testable import DeclaredIntents
import Foundation
import IntentLab
import Testing

@Suite("Patterns of declared intents")
struct TextPatternTests {
    @Test(
        "A pattern has to match the whole text",
        arguments: [
            ("[+0-9 ]{5,20}", "+49 30 1234", true), ("[+0-9 ]{5,20}", "1234", false), ("a|bc", "bc", true),
            ("a|bc", "abc", false), ("", "", true), ("", "a", false), ("(?:ab)*c?", "ababc", true),
            ("^a$", "a", true), ("a.b", "a\nb", false), ("a.b", "aéb", true), ("\\p{Lu}\\p{Ll}+", "Ärger", true),
            ("[^\\d\\s]+", "ab1", false), ("[^\\d\\s]+", "ab-", true), ("[\\D]", "٣", false), ("\\d", "٣", true),
            ("x{0}", "", true), ("(a{2}){2,3}", "aaaaaa", true), ("(a{2}){2,3}", "aaaaa", false),
            ("[]a]", "a", false), ("[a\\]]", "]", true), ("[-a]", "-", true), ("\\x41\\u0042\\x{1F600}", "AB😀", true),
            ("(a*)*", "aaaa", true), ("(|a)+", "aa", true), ("a$b", "ab", false), ("((){1000}){1000}", "", true),
        ]
    )
    func matchesWholeTextOnly(source: String, text: String, isMatch: Bool) {
        guard let pattern = try? TextPattern(source) else {
            // A set that is closed at once.
            #expect(source == "[]a]")
            return
        }
        #expect(pattern.matches(text) == isMatch)
    }

    @Test(
        "What would have to look back or ahead is refused, and why is said",
        arguments: [
            ("(a)\\1", "at character 4: \\ refers back to a group"),
            ("a(?=b)", "at character 2: ( (? begins an unsupported"),
            ("(?i)a", "at character 1: ( (? begins"), ("\\bword", "at character 1: \\ begins the escape \\b"),
            ("a++", "at character 3: + makes a possessive quantifier"), ("(a", "at character 1: ( opens a group"),
            ("a)", "at character 2: ) closes a group"), ("[a", "at character 1: [ opens a set"),
            ("*a", "at character 1: * repeats nothing"), ("a{3,2}", "at character 2: { is not a repetition"),
            ("a{9999}", "at character 2: { repeats more than 1000 times"),
            ("[z-a]", "at character 2: z does not begin a range"),
            ("(a{1000}){1000}", "it has more than 2000 steps"),
            ("\\p{Greek}", "at character 1: \\ does not begin a general"),
            ("a\\", "at character 2: \\ escapes nothing"), ("[a&&b]", "at character 3: & twice within a set"),
            (String(repeating: "(", count: 60), "at character 51: ( nests groups too deeply"),
        ]
    )
    func refusesLookaroundWithReason(source: String, problem: String) {
        let error = #expect(throws: PatternProblem.self) { _ = try TextPattern(source) }
        #expect(error?.message.hasPrefix(problem) == true, "\(error?.message ?? "")")
    }

    @Test(
        "An expression that others take for ever over takes its turn at 64 KiB of a client's text, and no more",
        .timeLimit(.minutes(1)),
        arguments: ["(a+)+$", "(a|a)*b", "(a|aa)+", "(.*)(.*)(.*)(.*)x", "(a*)*b", "((a?){20}a{20})*b"]
    )
    func matchesCatastrophicPatternInLinearTime(source: String) throws {
        let text = String(repeating: "a", count: 64 * 1024 - 1) + "!"
        let pattern = try TextPattern(source)
        #expect(!pattern.matches(text))
    }

    @Test("Random expressions mean what they meant to the engine before", arguments: 0..<8)
    func randomPatternsMatchAsICU(seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var compared = 0
        for _ in 0..<300 {
            let source = Self.expression(depth: 3, &numbers)
            let pattern = try TextPattern(source)
            let expression = try NSRegularExpression(pattern: "\\A(?:\(source))\\z")
            for _ in 0..<12 {
                let text = Self.text(&numbers)
                let range = NSRange(text.startIndex..<text.endIndex, in: text)
                let isMatch = expression.firstMatch(in: text, range: range) != nil
                #expect(pattern.matches(text) == isMatch, "\(source) and \(text.debugDescription)")
                compared += 1
            }
        }
        #expect(compared == 3_600)
    }

    @Test("Anchors match as in ICU, also around and inside line breaks")
    func anchorsMatchAsInICU() throws {
        let signs = ["a", "\r", "\n", "\u{B}", "\u{85}", "\u{2028}"]
        var texts = [""]
        for _ in 0..<3 {
            let longest = texts.map(\.unicodeScalars.count).max()
            for text in texts where text.unicodeScalars.count == longest { texts += signs.map { text + $0 } }
        }
        #expect(texts.count == 1 + 6 + 36 + 216)
        for anchor in ["^", "\\A", "$", "\\Z", "\\z"] {
            for (before, after) in [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (0, 3)] {
                let source = "[\\s\\S]{\(before)}\(anchor)[\\s\\S]{\(after)}"
                let pattern = try TextPattern(source)
                let expression = try NSRegularExpression(pattern: "\\A(?:\(source))\\z")
                for text in texts {
                    let range = NSRange(text.startIndex..<text.endIndex, in: text)
                    let isMatch = expression.firstMatch(in: text, range: range) != nil
                    #expect(pattern.matches(text) == isMatch, "\(source) and \(text.debugDescription)")
                }
            }
        }
    }

    // MARK: Random expressions

    private static let signs = [
        "a", "b", "c", "0", "7", " ", "é", "ß", "Ω", "-", "_", "\u{301}", "\u{2028}", "😀", "٣", "\n",
    ]

    private static func text(_ numbers: inout SeededNumbers) -> String {
        (0..<Int.random(in: 0...6, using: &numbers)).map { _ in Self.signs.randomElement(using: &numbers)! }.joined()
    }

    private static func expression(depth: Int, _ numbers: inout SeededNumbers) -> String {
        let pieces = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in Self.piece(depth: depth, &numbers) }
        return pieces.joined(separator: Bool.random(using: &numbers) && depth > 0 ? "|" : "")
    }

    private static func piece(depth: Int, _ numbers: inout SeededNumbers) -> String {
        let atom: String
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &numbers) {
        case 0, 1: atom = ["a", "b", "c", "0", "é", "Ω", "_", "\\-", "\\."].randomElement(using: &numbers)!
        case 2: atom = "."
        case 3: atom = ["\\d", "\\w", "\\s", "\\D", "\\W", "\\S"].randomElement(using: &numbers)!
        case 4: atom = ["\\p{L}", "\\p{Lu}", "\\P{N}", "\\p{Mn}", "\\n"].randomElement(using: &numbers)!
        case 5:
            let members = (0..<Int.random(in: 1...3, using: &numbers))
                .map { _ in ["a", "b-f", "0-9", "\\d", "\\s", "\\W", "é", "_"].randomElement(using: &numbers)! }
            atom = "[" + (Bool.random(using: &numbers) ? "^" : "") + members.joined() + "]"
        default:
            let opening = Bool.random(using: &numbers) ? "(" : "(?:"
            atom = opening + Self.expression(depth: depth - 1, &numbers) + ")"
        }
        // ICU leaves a lazy loop at an iteration that consumes nothing, and misses what comes after: not around groups.
        let lazy = atom.hasPrefix("(") ? [] : ["{0,2}?", "*?"]
        let quantifiers = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}"] + lazy
        return atom + quantifiers.randomElement(using: &numbers)!
    }
}
