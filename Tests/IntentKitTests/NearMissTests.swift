import Testing

@testable import IntentKit

@Suite("Suggestions for misspelt words")
struct NearMissTests {
    private static let commands = ["ask", "up", "tail", "list", "lag", "test", "dead-letters", "records", "replay"]

    @Test(
        "A typo suggests the intended word, also for two swapped letters",
        arguments: [
            ("lst", "list"), ("tial", "tail"), ("TAIL", "tail"), ("upp", "up"), ("lga", "lag"), ("replya", "replay"),
            ("dead", "dead-letters"), ("deadletters", "dead-letters"),
        ]
    )
    func suggestsWordForTypo(text: String, command: String) {
        #expect(NearMiss.find(text, among: Self.commands) == [command])
        #expect(NearMiss.hint(text, among: Self.commands) == "; did you mean \(command)?")
    }

    @Test(
        "A word that resembles none gets no suggestion, and a short word not just any",
        arguments: ["x", "go", "fly", "frobnicate", ""]
    )
    func suggestsNothingForUnlikeWord(text: String) {
        #expect(NearMiss.hint(text, among: Self.commands) == "")
    }

    @Test("An abbreviation suggests its word, unless a word begins with it or contains it")
    func suggestsAbbreviatedWord() {
        #expect(NearMiss.hint("params", among: ["name", "parameters"]) == "; did you mean parameters?")
        #expect(NearMiss.hint("cfg", among: ["config", "name"]) == "; did you mean config?")
        #expect(NearMiss.hint("prms", among: ["name", "parameters"]) == "")
        #expect(NearMiss.hint("sarap", among: ["name", "parameters"]) == "")
    }

    @Test("A slip is a different case, or one wrong letter in a name that is not short")
    func slipIsOneLetterOrCase() {
        let attributes = ["id", "type", "userid", "subject"]
        #expect(NearMiss.slip("userId", among: attributes) == "userid")
        #expect(NearMiss.slip("sujbect", among: attributes) == "subject")
        #expect(NearMiss.slip("ID", among: attributes) == "id")
        #expect(NearMiss.slip("ip", among: attributes) == nil)
        #expect(NearMiss.slip("objects", among: attributes) == nil)
        #expect(NearMiss.slip(String(repeating: "u", count: 65), among: attributes) == nil)
    }

    @Test("Words that are equally near are all suggested, in their order")
    func suggestsAllEquallyNearWords() {
        #expect(NearMiss.hint("lagg", among: ["lago", "lag", "lagh", "other"]) == "; did you mean lago, lag or lagh?")
        #expect(
            NearMiss.find("Payment", among: ["INSendPaymentIntent", "INRequestPaymentIntent", "INStartCallIntent"])
                == ["INSendPaymentIntent", "INRequestPaymentIntent"]
        )
        // What is in everything tells nothing.
        #expect(
            NearMiss.find("Intent", among: ["AIntent", "BxIntent", "CxxIntent", "DxxxIntent"].map { "Long" + $0 })
                .isEmpty
        )
    }
}
