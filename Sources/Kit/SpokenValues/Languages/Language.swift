/// What the grammar knows of a language: data only.
struct Language: Sendable {
    /// The ISO 639 code.
    let code: String
    /// Phrases by meaning, each with variants separated by `|`.
    let phrases: [(Meaning, String)]
    /// Whole answers that mean yes and no, separated by `|` or on lines.
    let yes: String
    let no: String
    let habits: Habits
    /// The hours of parts of the day.
    let parts: [DayPart: PartHours]
    let sayings: Sayings

    /// What speakers do differently with the same words.
    struct Habits {
        /// `einundzwanzig`: the unit before the tens.
        var saysUnitsBeforeTens = false
        /// `soixante-dix`, `quatre-vingts`, `diez y seis`: sums of other numbers.
        var saysSums = false
        /// `5:30` is in the morning.
        var writesTwentyFourHours = true
        /// `17 02`: day and month with a space.
        var writesDatesWithSpaces = false
        /// "Next Friday" is the one of next week, even if another one comes before it.
        var nextWeekdayIsInNextWeek = false
        /// "half three" is half an hour after three; `viertel drei` is a quarter of an hour after two.
        var saysHalfForHalfPast = false
        var saysQuarterOfHour = false
        /// "One twenty two", "nineteen ninety".
        var saysPairs = false
        /// `trois heures moins cinq`, rather than "five to three".
        var saysMinutesAfterHour = false
        /// `lundi prochain`, rather than "next Monday".
        var saysSelectionAfterName = false
        var edges = Edges()
        var marks = NumberMarks(decimal: ",", groups: [".", " "])
    }

    /// What the beginning, middle and end of longer periods are: the first and last day or month.
    struct Edges {
        var week = (early: 1...3, middle: 3...4, late: 5...7)
        var month = (early: 1...10, middle: 11...20, late: 21...31)
        /// In months.
        var year = (early: 1...3, middle: 5...8, late: 10...12)
    }

    /// Hours of a part of the day, and of its own parts; 24 is midnight.
    struct PartHours {
        var whole: (Int, Int)
        var early: (Int, Int)?
        var middle: (Int, Int)?
        var late: (Int, Int)?

        init(_ from: Int, _ to: Int, early: (Int, Int)? = nil, middle: (Int, Int)? = nil, late: (Int, Int)? = nil) {
            self.whole = (from, to)
            self.early = early
            self.middle = middle
            self.late = late
        }

        func hours(_ edge: Edge?) -> (Int, Int)? {
            switch edge {
            case nil: self.whole
            case .early: self.early
            case .middle: self.middle
            case .late: self.late
            }
        }
    }

    /// All languages, English first.
    static let all: [Self] = [.english, .german, .french, .spanish]

    static func with(code: String) -> Self? { self.all.first { $0.code == code } }
}

/// The marks in numbers that are written in digits.
struct NumberMarks: Sendable {
    var decimal: Character
    var groups: [Character]
}

/// A language with what is built from its table once.
struct LanguageIndex: Sendable {
    let language: Language
    let lexicon: Lexicon
    let yes: Set<String>
    let no: Set<String>

    private init(_ language: Language) {
        self.language = language
        self.lexicon = Lexicon(language.phrases + Self.shared)
        self.yes = Self.answers(language.yes)
        self.no = Self.answers(language.no)
    }

    private static let all = Language.all.map(Self.init)

    static func with(code: String) -> Self? { self.all.first { $0.language.code == code } }

    private static func answers(_ text: String) -> Set<String> {
        Set(text.split { $0 == "|" || $0.isNewline }.map { Self.key(String($0)) })
    }

    /// The words of an answer without case, accents and punctuation.
    static func key(_ text: String) -> String {
        let tokens = Token.tokens(text, limit: SpokenReader.maximumTokens) ?? []
        return tokens.filter { $0.kind != .mark }.map(\.text).joined(separator: " ")
    }

    /// What is written alike in all languages.
    private static let shared: [(Meaning, String)] = [
        (.dollar, "$"), (.currency("EUR"), "€"), (.currency("GBP"), "£"), (.currency("JPY"), "¥"),
        (.currency("INR"), "₹"), (.cents(nil), "¢"), (.currency("USD"), "us$"), (.currency("CAD"), "ca$"),
        (.currency("AUD"), "a$|au$"), (.currency("MXN"), "mx$"), (.currency("BRL"), "r$"), (.at, "@"),
        (.suffixScale(1_000), "k"), (.suffixScale(1_000_000), "m"), (.suffixScale(1_000_000_000), "g"),
        (.zone(0), "gmt|utc|z"), (.zone(60), "cet|mez|bst"), (.zone(120), "cest|mesz|eet"), (.zone(180), "eest"),
        (.zone(-300), "est|cdt"), (.zone(-240), "edt"), (.zone(-360), "cst|mdt"), (.zone(-420), "mst|pdt"),
        (.zone(-480), "pst"), (.zone(330), "ist"),
        (.unit(.second), "s|\""), (.unit(.minute), "min|m|'"), (.unit(.hour), "h"), (.shortHour, "h"),
        (.quarterMark, "q"),
    ]
}
