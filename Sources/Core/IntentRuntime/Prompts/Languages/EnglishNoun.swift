/// A title or a name as a noun in a sentence: `The day`, `Number of people`, `departure date`.
struct EnglishNoun {
    private static let articles: Set<String> = ["a", "an", "the"]
    private static let determiners: Set<String> = [
        "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those",
    ]
    private static let prepositions: Set<String> = [
        "about", "at", "by", "for", "from", "in", "into", "of", "on", "per", "to", "until", "with", "without",
    ]
    private static let irregularPlurals: Set<String> = ["people", "children", "men", "women", "feet", "teeth"]

    /// Its words in lower case except names, without an article before them.
    let words: [String]
    /// The head of the phrase: `people` of `people at the table`.
    let head: String
    let isPlural: Bool

    /// Parses a title or a name.
    init(_ title: String) {
        let all = title.split(whereSeparator: \.isWhitespace).map(String.init)
        // In "Departure Date" the capitals mean nothing; in "Day in Berlin" only the first one means nothing.
        let isInCapitals = all.count > 1 && all.allSatisfy { $0.count < 4 || $0.first?.isUppercase ?? false }
        var words = all.enumerated().map { $0 == 0 || isInCapitals ? Self.lowercased($1) : $1 }
        if words.count > 1, Self.articles.contains(words[0]) { words.removeFirst() }
        self.words = words
        let end = words.firstIndex { Self.prepositions.contains($0) } ?? words.endIndex
        let head = (end > 0 ? words[end - 1] : words.first ?? "").lowercased()
        let endsAsPlural = head.hasSuffix("s") && !["ss", "us", "is"].contains { head.hasSuffix($0) }
        self.head = head
        self.isPlural = endsAsPlural || Self.irregularPlurals.contains(head)
    }

    var text: String { self.words.joined(separator: " ") }

    /// The noun without `my` or `your` before it, for use after "which".
    var bare: String {
        guard self.words.count > 1, let first = self.words.first, Self.determiners.contains(first) else {
            return self.text
        }
        return self.words.dropFirst().joined(separator: " ")
    }

    /// The noun with "the", unless it has another determiner.
    var definite: String {
        guard let first = self.words.first else { return "it" }
        return Self.determiners.contains(first) || first.hasSuffix("'s") ? self.text : "the " + self.text
    }

    /// "is", or "are" for a plural.
    var verb: String { self.isPlural ? "are" : "is" }

    /// The noun after "number of"; nil when it counts nothing.
    var counted: String? {
        guard self.words.count > 2, ["number", "count"].contains(self.words[0]), self.words[1] == "of" else {
            return nil
        }
        return self.words.dropFirst(2).joined(separator: " ")
    }

    /// A word in lower case, unless it is written in capitals.
    private static func lowercased(_ word: String) -> String {
        word.dropFirst().contains(where: \.isUppercase) || word == "I" ? word : word.lowercased()
    }
}
