/// The meanings of a language's phrases.
struct Lexicon: Sendable {
    private var meanings: [String: [Meaning]] = [:]
    /// The number of words of the longest phrase, by its first word.
    private var lengths: [String: Int] = [:]
    /// The length of the longest word that compounds are made of.
    private var longestPart = 0

    init(_ phrases: [(Meaning, String)]) {
        for (meaning, variants) in phrases {
            for variant in variants.split(separator: "|") {
                self.add(String(variant), meaning)
                // `ü` can be written `ue`.
                let spelt = Self.spellings.reduce(String(variant)) { $0.replacing($1.0, with: $1.1) }
                if spelt != variant { self.add(spelt, meaning) }
            }
        }
    }

    private static let spellings = [("ä", "ae"), ("ö", "oe"), ("ü", "ue")]

    private mutating func add(_ phrase: String, _ meaning: Meaning) {
        let words = (Token.tokens(phrase, limit: 16) ?? []).filter { !$0.isJoint }.map(\.text)
        guard let first = words.first else { return }
        let key = words.joined(separator: " ")
        if !self.meanings[key, default: []].contains(meaning) { self.meanings[key, default: []].append(meaning) }
        self.lengths[first] = max(self.lengths[first] ?? 0, words.count)
        if words.count == 1, Self.isPart(meaning) { self.longestPart = max(self.longestPart, first.utf8.count) }
    }

    /// The tokens with their meanings.
    func lexemes(_ tokens: [Token]) -> [Lexeme] {
        var lexemes: [Lexeme] = []
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            if token.kind == .digits {
                lexemes.append(Lexeme(token, digits: Int(token.text)))
                index += 1
            } else if let (meanings, end) = self.phrase(tokens, at: index) {
                lexemes.append(Lexeme(token, meanings: meanings))
                index = end
            } else if token.kind == .word {
                lexemes += self.compound(token) ?? [Lexeme(token)]
                index += 1
            } else {
                lexemes.append(Lexeme(token))
                index += 1
            }
        }
        return Self.withoutJoints(lexemes)
    }

    /// The longest phrase that begins there.
    private func phrase(_ tokens: [Token], at start: Int) -> ([Meaning], end: Int)? {
        guard let limit = self.lengths[tokens[start].text] else { return nil }
        var key = ""
        var found: ([Meaning], Int)?
        var index = start
        for _ in 0..<limit {
            if index > start, index < tokens.count, tokens[index].isJoint { index += 1 }
            guard index < tokens.count else { break }
            key += key.isEmpty ? tokens[index].text : " " + tokens[index].text
            index += 1
            if let meanings = self.meanings[key] { found = (meanings, index) }
        }
        return found
    }

    /// A word made of words of the table, as German writes them: `dreiunddreißig`, `Donnerstagabend`.
    private func compound(_ token: Token) -> [Lexeme]? {
        let bytes = Array(token.text.utf8)
        var parts: [Lexeme] = []
        var start = 0
        while start < bytes.count {
            guard let (part, length) = self.part(bytes[start...]) else { return nil }
            parts.append(Lexeme(part, isGlued: start > 0 || token.isGlued))
            start += length
        }
        return parts
    }

    private func part(_ bytes: ArraySlice<UInt8>) -> ([Meaning], Int)? {
        for length in stride(from: min(self.longestPart, bytes.count), through: 2, by: -1) {
            let word = String(decoding: bytes.prefix(length), as: UTF8.self)
            if let meanings = self.meanings[word]?.filter(Self.isPart), !meanings.isEmpty { return (meanings, length) }
        }
        return nil
    }

    private static func isPart(_ meaning: Meaning) -> Bool {
        switch meaning {
        case .number, .scale, .ordinal, .and, .weekday, .part, .halves: true
        case .unit(let unit): unit >= .minute
        case .fraction: true
        default: false
        }
    }

    /// Hyphens inside words mean nothing, except between two days or months.
    private static func withoutJoints(_ lexemes: [Lexeme]) -> [Lexeme] {
        var result: [Lexeme] = []
        for (index, lexeme) in lexemes.enumerated() {
            // `30-minute`
            if lexeme.isMark("-"), lexeme.isGlued, result.last?.digits != nil, index + 1 < lexemes.count,
                lexemes[index + 1].isGlued, lexemes[index + 1].unit != nil || lexemes[index + 1].has(.about)
            {
                continue
            }
            if lexeme.isJoint, index + 1 < lexemes.count, let before = result.last,
                !(before.isOfCalendar && lexemes[index + 1].isOfCalendar)
            {
                continue
            }
            result.append(lexeme)
        }
        return result
    }
}

/// A token with its meanings, or a part of a compound.
struct Lexeme {
    let text: String
    let meanings: [Meaning]
    /// The number in digits.
    let digits: Int?
    /// How many digits.
    let count: Int
    let isGlued: Bool
    let isJoint: Bool
    let isMark: Bool

    init(_ token: Token, meanings: [Meaning] = [], digits: Int? = nil) {
        self.text = token.text
        self.meanings = meanings
        self.digits = digits
        self.count = digits == nil ? 0 : token.text.utf8.count
        self.isGlued = token.isGlued
        self.isJoint = token.isJoint
        self.isMark = token.kind == .mark
    }

    init(_ meanings: [Meaning], isGlued: Bool) {
        self.text = ""
        self.meanings = meanings
        self.digits = nil
        self.count = 0
        self.isGlued = isGlued
        self.isJoint = false
        self.isMark = false
    }

    func has(_ meaning: Meaning) -> Bool { self.meanings.contains(meaning) }

    func isMark(_ mark: String) -> Bool { self.isMark && self.text == mark }

    /// Whether it names a day or a month.
    var isOfCalendar: Bool {
        self.meanings.contains {
            switch $0 {
            case .weekday, .month, .relativeDay: true
            default: false
            }
        }
    }

    /// The first value that a function finds in the meanings.
    func first<Value>(_ value: (Meaning) -> Value?) -> Value? {
        for meaning in self.meanings {
            if let found = value(meaning) { return found }
        }
        return nil
    }

    var number: Int? {
        self.first {
            switch $0 {
            case .number(let value), .vague(let value): value
            default: nil
            }
        }
    }

    var isVague: Bool { self.meanings.contains { if case .vague = $0 { true } else { false } } }
    var coin: Int? { self.first { if case .coin(let value) = $0 { value } else { nil } } }
    var scale: Int? { self.first { if case .scale(let value) = $0 { value } else { nil } } }
    var suffixScale: Int? { self.first { if case .suffixScale(let value) = $0 { value } else { nil } } }
    var ordinal: Int? { self.first { if case .ordinal(let value) = $0 { value } else { nil } } }
    var fraction: Int? { self.first { if case .fraction(let value) = $0 { value } else { nil } } }
    var halves: Int? { self.first { if case .halves(let value) = $0 { value } else { nil } } }
    var weekday: Int? { self.first { if case .weekday(let value) = $0 { value } else { nil } } }
    var weekdayOrSeveral: Int? {
        self.weekday ?? self.first { if case .weekdays(let value) = $0 { value } else { nil } }
    }
    var month: Int? { self.first { if case .month(let value) = $0 { value } else { nil } } }
    var unit: TimeUnit? { self.first { if case .unit(let value) = $0 { value } else { nil } } }
    var season: Season? { self.first { if case .season(let value) = $0 { value } else { nil } } }
    var relativeDay: Int? { self.first { if case .relativeDay(let value) = $0 { value } else { nil } } }
    var selection: Selection? { self.first { if case .select(let value) = $0 { value } else { nil } } }
    var edge: Edge? {
        self.first {
            switch $0 {
            case .edge(let value), .edgeOf(let value, _): value
            default: nil
            }
        }
    }
    var part: DayPart? { self.first { if case .part(let value) = $0 { value } else { nil } } }
    var half: DayHalf? { self.first { if case .half(let value) = $0 { value } else { nil } } }
    var suffixHalf: DayHalf? { self.first { if case .suffixHalf(let value) = $0 { value } else { nil } } }
    var zone: Int? { self.first { if case .zone(let value) = $0 { value } else { nil } } }
    var weeksLater: Int? { self.first { if case .weeksLater(let value) = $0 { value } else { nil } } }
    var currency: String? { self.first { if case .currency(let value) = $0 { value } else { nil } } }
}
