import Foundation

extension String {
    /// The text without case, accents and spacing: equal keys mean the same words (R25).
    ///
    /// The two scripts of Japanese, the two i of Turkish, and letters that are written as two elsewhere (`æ`, `ß`)
    /// count as the same.
    public var matchingKey: String {
        if self.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: self.utf8.lazy.filter { $0 > 0x20 }.map(Self.lowercased), as: UTF8.self)
        }
        let folded = self.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var key = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars where !scalar.properties.isWhitespace {
            if let plain = Self.plainLetters[scalar] {
                key.append(contentsOf: plain.unicodeScalars)
            } else if (0x3041...0x3096).contains(scalar.value), let katakana = Unicode.Scalar(scalar.value + 0x60) {
                key.append(katakana)
            } else {
                key.append(scalar)
            }
        }
        return String(key)
    }

    /// The keys under which the words may be found for a user of that language, the likeliest first.
    ///
    /// If a language has two spellings of one letter, the other one is tried too: in German `Mueller` finds `Müller`
    /// and `Müller` finds `Mueller`; in Danish `Aarhus` finds `Århus`.
    /// - Parameter locale: A BCP 47 tag such as `de-AT`.
    /// - Returns: One key, or up to three if the language has two spellings.
    public func matchingKeys(locale: String) -> [String] {
        let language = locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
        let key = self.matchingKey
        guard let spellings = Self.spellings[language] else { return [key] }
        let text = self.lowercased()
        var keys = [key]
        // One direction at a time: a text is spelt with the letters or without them, not with both.
        for found in [
            spellings.reduce(text) { $0.replacing($1.letter, with: $1.pair) }.matchingKey,
            spellings.reduce(text) { $0.replacing($1.pair, with: $1.letter) }.matchingKey,
        ] where !keys.contains(found) {
            keys.append(found)
        }
        return keys
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Letters that Foundation does not decompose, as they are written on keyboards without them.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ı": "i", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th",
    ]

    /// Pairs of letters that stand for one, by language.
    private static let spellings: [String: [(letter: String, pair: String)]] = {
        let nordic = [("æ", "ae"), ("ø", "oe"), ("å", "aa"), ("ä", "ae"), ("ö", "oe")]
        return [
            "de": [("ä", "ae"), ("ö", "oe"), ("ü", "ue")],
            "da": nordic, "nb": nordic, "nn": nordic, "no": nordic, "sv": nordic, "fi": nordic,
        ]
    }()
}
