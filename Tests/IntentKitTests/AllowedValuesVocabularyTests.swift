import IntentKit
import Testing

@Suite("R25: allowed values in a vocabulary's words")
struct AllowedValuesVocabularyTests {
    private let cities = AllowedValues(["New York", "Newark", "Paris"]) { $0.string }

    /// What the vocabulary says that the words mean: each by identifier, or by phrase alone.
    private func outcome(_ text: String, _ meanings: [(identifier: String?, phrase: String)]) -> ResolutionOutcome {
        self.cities.outcome(for: .string(text)) { words in
            guard words == text else { return [] }
            return meanings.enumerated()
                .map { index, meaning in
                    VocabularyMatch(
                        source: .user,
                        name: "city",
                        version: "1",
                        index: index,
                        means: .synonym,
                        identifier: meaning.identifier,
                        phrase: meaning.phrase
                    )
                }
        }
    }

    @Test("A single meaning is the value, by its identifier or else by its phrase")
    func singleMeaningIsTheValue() {
        #expect(self.outcome("big apple", [("new york", "NYC")]) == .success("New York"))
        #expect(self.outcome("big apple", [(nil, "New York")]) == .success("New York"))
        #expect(self.outcome("big apple", [("elsewhere", "new york")]) == .success("New York"))
        #expect(self.outcome("big apple", [("New York", "a"), (nil, "new york")]) == .success("New York"))
    }

    @Test("Several meanings are a choice; without a meaning similar words are offered")
    func severalMeaningsAreAChoice() {
        let both: ResolutionOutcome = .disambiguation(["Newark", "New York"])
        #expect(self.outcome("big apple", [(nil, "Newark"), (nil, "New York")]) == both)
        #expect(self.outcome("big apple", []) == .unsupported(forReason: .notAmongValues))
        #expect(self.outcome("big apple", [("x", "Berlin")]) == .unsupported(forReason: .notAmongValues))
        #expect(self.outcome("pari", []) == .disambiguation(["Paris"]))
    }

    @Test("A value in its declared spelling needs no vocabulary")
    func declaredSpellingNeedsNoVocabulary() {
        #expect(self.outcome("PARIS", [(nil, "Newark")]) == .success("Paris"))
        #expect(self.outcome("Paris", [(nil, "Newark")]) == .success("Paris"))
    }
}
