import IntentKit
import IntentLab

/// What users say: valid and invalid values for a parameter.
enum Sayings {
    /// Lists of words that have something in common, and some that are close to none.
    static let lists: [[String]] = [
        ["Economy", "Economy extra", "Flexible", "First class"],
        ["Red line", "Red arrow", "Blue line", "Night bus"],
        ["checking", "savings"],
        ["Café Central", "Café Museum", "Bräunerhof", "Hawelka"],
        ["indoors", "outdoors at the river", "on the roof"],
    ]
    /// What the user sees of some words, and may say as well (R71); far from all other sayings.
    static let titles = ["checking": "Girokonto", "savings": "Sparbuch"]
    private static let texts = ["Milpitas", "good evening", "Žižkov & <Praha>", "\"quoted\", with\nline", "0"]
    private static let far = ["Helicopter zzz", "42424242424242", "qqqqqqqqqqqqqqq"]

    /// A value for a parameter, valid or not; never one with an unclear meaning.
    static func value(for parameter: ModelParameter, goodIn percent: Int, _ random: inout SeededNumbers) -> JSONValue {
        if random.chance(4) { return parameter.isRequired || random.chance(50) ? .null : [] }
        guard parameter.isList, !random.chance(10) else { return Self.one(for: parameter, goodIn: percent, &random) }
        if random.chance(4) { return [] }
        return .array(
            (1...Int.random(in: 1...3, using: &random)).map { _ in Self.element(parameter, percent, &random) }
        )
    }

    /// A value that is accepted.
    static func goodValue(for parameter: ModelParameter, _ random: inout SeededNumbers) -> JSONValue {
        if let any = parameter.any, random.chance(15) { return .string(any) }
        switch parameter.kind {
        case .text: return .string(random.pick(Self.texts))
        case .code: return .string(random.pick(["AB123", "ZZ999", "QX000"]))
        case .words(let words):
            let word = random.pick(words)
            return .string(random.chance(30) ? Self.titles[word] ?? word : word)
        case .number(let range):
            let number = Int.random(in: range, using: &random)
            return random.chance(10) ? .string(String(number)) : .integer(Int64(number))
        case .flag: return random.chance(15) ? random.pick(["yes", "no"]) : .bool(random.chance(50))
        case .day:
            let days = ["2026-11-21", "2027-01-01", "2026-12-28", "21 November 2026", "1 January 2027"]
            return .string(random.pick(days))
        }
    }

    private static func element(
        _ parameter: ModelParameter,
        _ percent: Int,
        _ random: inout SeededNumbers
    ) -> JSONValue {
        while true {
            let value = Self.one(for: parameter, goodIn: percent, &random)
            // No user says an empty list inside a list, or an empty text.
            if value.array == nil, value.string?.isEmpty != true, value.string != " " { return value }
        }
    }

    private static func one(
        for parameter: ModelParameter,
        goodIn percent: Int,
        _ random: inout SeededNumbers
    ) -> JSONValue {
        while true {
            let value =
                random.chance(percent) ? Self.goodValue(for: parameter, &random) : Self.other(for: parameter, &random)
            if parameter.judge(value) != .unclear { return value }
        }
    }

    /// A value that is not quite right, or wrong.
    private static func other(for parameter: ModelParameter, _ random: inout SeededNumbers) -> JSONValue {
        let wrong: [JSONValue] = [["a": 1], true, 7, [1, 2], "no such thing"]
        switch parameter.kind {
        case .text: return random.pick([7, true, "", " ", ["a": "b"], false])
        case .code: return random.pick(["AB12", "abcde", 7, "", "ZZ9999"])
        case .words(let words): return Self.said(words, &random)
        case .number(let range):
            let outside: [JSONValue] = [.integer(Int64(range.lowerBound - 1)), .integer(Int64(range.upperBound + 1))]
            return random.pick(outside + [true, "plenty", "five", "twelve", "twenty-one", ["a": 1]])
        case .flag: return random.pick(["maybe", 1, ["a": true]])
        case .day: return random.pick(["some day", "2020-01-01", 20_261_121] + wrong)
        }
    }

    /// One of the words said in another way, a part of one, with a typing mistake, or something else.
    private static func said(_ words: [String], _ random: inout SeededNumbers) -> JSONValue {
        let word = random.pick(words)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .string(word.uppercased())
        case 1: return .string(Words.key(word))
        case 2, 3: return .string(random.pick(word.split(separator: " ").map(String.init)))
        case 4:
            var letters = Array(word)
            letters.remove(at: Int.random(in: 0..<letters.count, using: &random))
            return .string(String(letters))
        case 5:
            var letters = Array(word)
            letters[Int.random(in: 0..<letters.count, using: &random)] = "x"
            return .string(String(letters))
        case 6: return random.pick([7, true, "", ["a": 1], "  "])
        default: return .string(random.pick(Self.far))
        }
    }
}
