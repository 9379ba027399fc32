import IntentKit
import IntentRuntime
import Testing

@Suite("R63: options chosen by words")
struct PromptOfferTests {
    private static func offer(_ options: [JSONValue], _ titles: [JSONValue: LocalizedText] = [:]) -> PromptOffer {
        var constraints = ParameterConstraints(
            isRequired: true,
            values: nil,
            minimum: nil,
            maximum: nil,
            defaultValue: nil
        )
        constraints.titles = titles
        return PromptOffer(options, of: nil, constraints)
    }

    @Test(
        "An option is found by its name or by its title in any language",
        arguments: [("red", "red"), ("ROT", "red"), ("Gr\u{FC}n", "green"), ("blue", nil), ("", nil)]
    )
    func findsOptionByNameOrTitle(words: String, option: String?) {
        let offer = Self.offer(
            ["red", "green"],
            ["red": ["en": "Red", "de": "Rot"], "green": ["en": "Green", "de": "Gr\u{FC}n"]]
        )
        #expect(offer.option(called: words) == option.map(JSONValue.string))
    }

    @Test(
        "Words that several options share find none of them, in any order",
        arguments: [["bank-1", "bank-2", "bank"], ["bank", "bank-2", "bank-1"], ["bank-2", "bank-1", "bank"]]
    )
    func ambiguousWordsFindNoOption(options: [String]) {
        let titles: [JSONValue: LocalizedText] = ["bank-1": "Bank", "bank-2": ["en": "Bank", "de": "Sitzbank"]]
        let offer = Self.offer(options.map(JSONValue.string), titles)
        #expect(offer.option(called: "Bank") == nil)
        #expect(offer.option(called: "bank-1") == "bank-1")
        #expect(offer.option(called: "Sitzbank") == "bank-2")
    }
}
