/// The lexemes of a text, and what they are read with.
struct Tape {
    let lexemes: [Lexeme]
    let language: Language
    let region: Region

    var end: Int { self.lexemes.count }

    /// The lexeme there, if there is one.
    subscript(_ index: Int) -> Lexeme? {
        self.lexemes.indices.contains(index) ? self.lexemes[index] : nil
    }

    func has(_ meaning: Meaning, at index: Int) -> Bool { self[index]?.has(meaning) ?? false }

    /// The holiday that a lexeme names in the user's region.
    func holiday(_ lexeme: Lexeme?) -> Holiday? {
        lexeme?
            .first {
                switch $0 {
                case .holiday(let holiday): holiday
                case .regionalHoliday(let holiday):
                    holiday.holiday(region: self.region.code, language: self.language.code)
                default: nil
                }
            }
    }

    func isMark(_ mark: String, at index: Int) -> Bool { self[index]?.isMark(mark) ?? false }

    /// How many words without a meaning of their own can follow each other; it bounds the lookahead.
    private static let maximumSkips = 4

    /// The index of the first lexeme from there on that has none of the meanings.
    func skipping(_ meanings: Meaning..., from start: Int) -> Int {
        var index = start
        while index < start + Self.maximumSkips, let lexeme = self[index], meanings.contains(where: lexeme.has) {
            index += 1
        }
        return index
    }
}

/// Something that was read, with the index after it.
struct Found<Value> {
    var value: Value
    var end: Int

    init(_ value: Value, end: Int) {
        self.value = value
        self.end = end
    }
}
