import Testing

@testable import IntentOperations

@Suite("What somebody may have meant")
struct NearMissTests {
    private static let commands = ["ask", "up", "tail", "list", "lag", "test", "dead-letters", "records", "replay"]

    @Test(
        "A slip leads to the word, also two letters that changed places",
        arguments: [
            ("lst", "list"), ("tial", "tail"), ("TAIL", "tail"), ("upp", "up"), ("lga", "lag"), ("replya", "replay"),
            ("dead", "dead-letters"), ("deadletters", "dead-letters"),
        ]
    )
    func near(text: String, command: String) {
        #expect(NearMiss.find(text, among: Self.commands) == [command])
        #expect(NearMiss.hint(text, among: Self.commands) == "; did you mean \(command)?")
    }

    @Test(
        "What is far from everything gets no suggestion, a short word not just any",
        arguments: ["x", "go", "fly", "frobnicate", ""]
    )
    func far(text: String) {
        #expect(NearMiss.hint(text, among: Self.commands) == "")
    }

    @Test("Several that are as near are all named, in their order")
    func several() {
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
