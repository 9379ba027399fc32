/// A word, a run of digits or a mark of a text.
struct Token {
    enum Kind { case word, digits, mark }

    var kind: Kind
    /// In lower case and without accents.
    var text: String
    /// Whether no white space is before it.
    var isGlued: Bool
    /// Whether it is a hyphen between two letters, which may join the words of one phrase.
    var isJoint = false

    /// The tokens of a text; nil when there are more than the limit.
    static func tokens(_ text: String, limit: Int) -> [Self]? {
        var cutter = TokenCutter(text)
        return cutter.tokens(limit: limit)
    }
}

/// Cuts a text into tokens in one pass.
private struct TokenCutter {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var tokens: [Token] = []
    private var isGlued = false

    init(_ text: String) {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.lowercased().unicodeScalars { Self.fold(scalar, into: &scalars) }
        self.scalars = scalars
    }

    mutating func tokens(limit: Int) -> [Token]? {
        while self.index < self.scalars.count {
            guard self.tokens.count <= limit else { return nil }
            self.step()
        }
        return self.tokens.count <= limit ? self.tokens : nil
    }

    private mutating func step() {
        let scalar = self.scalars[self.index]
        if Self.isLetter(scalar) { return self.run(.word, Self.isLetter) }
        if Self.isDigit(scalar) { return self.run(.digits, Self.isDigit) }
        let before = self.index > 0 ? self.scalars[self.index - 1] : " "
        let after = self.index + 1 < self.scalars.count ? self.scalars[self.index + 1] : " "
        self.index += 1
        switch scalar {
        case "'" where Self.isLetter(before) && Self.isLetter(after):
            // `l'année` and `o'clock` are two words.
            self.isGlued = true
        case ".":
            // After a letter it marks an abbreviation.
            guard Self.isDigit(before) || Self.isDigit(after) && !Self.isLetter(before) else {
                self.isGlued = self.isGlued && Self.isLetter(after)
                return
            }
            self.append(scalar)
        case "," where Self.isDigit(after): self.append(scalar)
        case "-":
            self.append(scalar, isJoint: Self.isLetter(before) && Self.isLetter(after))
        case "/", ":", "'", "\"", "+", "%": self.append(scalar)
        case "$", "€", "£", "¥", "¢", "₹", "@", "º", "ª":
            self.tokens.append(Token(kind: .word, text: String(scalar), isGlued: self.isGlued))
            self.isGlued = true
        default:
            // White space, and punctuation without a meaning here.
            self.isGlued = false
        }
    }

    private mutating func run(_ kind: Token.Kind, _ belongs: (Unicode.Scalar) -> Bool) {
        var text = String.UnicodeScalarView()
        while self.index < self.scalars.count, belongs(self.scalars[self.index]) {
            text.append(self.scalars[self.index])
            self.index += 1
        }
        self.tokens.append(Token(kind: kind, text: String(text), isGlued: self.isGlued))
        self.isGlued = true
    }

    private mutating func append(_ scalar: Unicode.Scalar, isJoint: Bool = false) {
        self.tokens.append(Token(kind: .mark, text: String(scalar), isGlued: self.isGlued, isJoint: isJoint))
        self.isGlued = true
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Letters of other scripts count, so that a word that contains them is unknown as a whole.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar)
            || scalar.value > 0x7F && scalar.properties.isAlphabetic
                && scalar != "º" && scalar != "ª"
    }

    private static func fold(_ scalar: Unicode.Scalar, into scalars: inout [Unicode.Scalar]) {
        switch scalar {
        case "à", "á", "â", "ã", "ä", "å": scalars.append("a")
        case "ç": scalars.append("c")
        case "è", "é", "ê", "ë": scalars.append("e")
        case "ì", "í", "î", "ï": scalars.append("i")
        case "ñ": scalars.append("n")
        case "ò", "ó", "ô", "õ", "ö": scalars.append("o")
        case "ù", "ú", "û", "ü": scalars.append("u")
        case "ý", "ÿ": scalars.append("y")
        case "ß": scalars += ["s", "s"]
        case "œ": scalars += ["o", "e"]
        case "æ": scalars += ["a", "e"]
        case "½": scalars += [" ", "1", "/", "2"]
        case "¼": scalars += [" ", "1", "/", "4"]
        case "¾": scalars += [" ", "3", "/", "4"]
        case "⅓": scalars += [" ", "1", "/", "3"]
        case "⅔": scalars += [" ", "2", "/", "3"]
        case "\u{2010}"..."\u{2015}", "\u{2212}": scalars.append("-")
        case "\u{2018}", "\u{2019}", "\u{02BC}", "\u{2032}", "\u{00B4}": scalars.append("'")
        case "\u{201C}", "\u{201D}", "\u{2033}": scalars.append("\"")
        // Combining accents, of texts in decomposed form.
        case "\u{0300}"..."\u{036F}": break
        default: scalars.append(scalar.properties.isWhitespace ? " " : scalar)
        }
    }
}
