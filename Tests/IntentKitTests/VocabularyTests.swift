import IntentKit
import Testing

@Suite("R25: matching words")
struct VocabularyTests {
    @Test(
        "Equal without case, accents and spacing",
        arguments: [
            ("New York", "newyork"), ("CAFÉ", "cafe"), (" a\tb\n", "AB"), ("Ångström", "angstrom"), ("Ａ", "a"),
            ("ISPARTA", "ısparta"),
            ("Straße", "STRASSE"), ("Søren", "Soren"), ("さくら", "サクラ"),
        ]
    )
    func matchesIgnoringCaseAccentsAndSpacing(first: String, second: String) {
        #expect(first.matchingKey == second.matchingKey)
    }

    @Test("Other words do not match", arguments: [("a", "b"), ("ab", "a"), ("a-b", "ab"), ("1", "一")])
    func otherWordsDoNotMatch(first: String, second: String) {
        #expect(first.matchingKey != second.matchingKey)
    }

    @Test("An entry matches by its phrase, its pronunciation or its identifier")
    func entryMatchesPhrasePronunciationAndIdentifier() {
        let entry = VocabularyEntry(spokenPhrase: "Siobhán", pronunciationHint: "shiv awn", vocabularyIdentifier: "C7")
        for words in ["siobhan", "SHIVAWN", "C7", "c7"] { #expect(entry.matches(words)) }
        for words in ["c", "shiv", ""] { #expect(!entry.matches(words)) }
    }

    @Test("R37: a plain string is an entry's phrase; more than 1,024 bytes of UTF-16 are refused")
    func readsPlainStringAndBoundsLength() {
        #expect(VocabularyEntry(json: "Diana") == VocabularyEntry(spokenPhrase: "Diana"))
        let full: JSONValue = ["spokenPhrase": "D", "pronunciationHint": "dee", "vocabularyIdentifier": "d"]
        #expect(VocabularyEntry(json: full)?.json == full)
        #expect(VocabularyEntry(json: ["pronunciationHint": "dee"]) == nil)
        #expect(VocabularyEntry(json: .string(String(repeating: "🦄", count: 256))) != nil)
        #expect(VocabularyEntry(json: .string(String(repeating: "🦄", count: 257))) == nil)
        #expect(VocabularyEntry(json: .string(String(repeating: "é", count: 513))) == nil)
    }
}
