import IntentKit
import IntentTesting
import Testing

/// What is packed, and how.
private struct PackBag: Intent {
    enum Bag: String, EnumerationValue {
        case backPack
        case suitcase

        var title: LocalizedText? { self == .suitcase ? ["en": "suitcase", "de": "Koffer"] : nil }
    }

    static let title: LocalizedText? = ["en": "Pack a bag", "de": "Tasche packen"]

    @Parameter(isRequired: true) var bag: Bag?
    @Parameter(
        title: ["en": "colour", "de": "Farbe"],
        prompt: ["de": "In welcher Farbe?"],
        isRequired: true,
        values: ["red", "blue"]
    )
    var colour: String?
    @Parameter(isRequired: true, in: 1...9) var items: Int?
    @Parameter(isRequired: true, values: [5, 7, 9]) var days: Int?
    @Parameter var label: String?
}

private struct PackBagHandler: IntentHandler {
    var handling: Handling<PackBag> {
        Resolve(\.$label) { said, intent, _ in
            let items = intent.items ?? 0
            guard let said else {
                return .needsValue()
                    .saying(["en": "\(items) items: whose are they?", "de": "Wem gehören die \(items)?"])
            }
            return said == "nobody" ? .unsupported().saying("Somebody has to own them. Who?") : .success(with: said)
        }
        Confirm { intent, _ in
            IntentResponse(code: .ready, requiresUserConfirmation: true).saying("\(intent.items ?? 0) items, really?")
        }
        Handle { intent, _ in
            IntentResponse(code: .success).saying(["en": "Packed for \(intent.label ?? "")."])
        }
    }
}

@Suite("Titles and dialog declared in Swift")
struct WordsForPeopleTests {
    private static let extensionOfBags = IntentExtension("Bags") { IntentRegistration { PackBagHandler() } }

    private static let said: JSONObject = ["bag": "suitcase", "colour": "red", "items": 3, "days": 7, "label": "Ada"]

    private static func without(_ name: String) -> JSONObject {
        var said = Self.said
        said[name] = nil
        return said
    }

    @Test("The values of an enumeration are offered, and accepted by their place, their title or their name")
    func offersEnumerationByPlaceTitleOrName() async throws {
        try await TestDeployment.with(Self.extensionOfBags) { bags in
            for (locale, answer, expected) in [
                ("en", "Back Pack", "backPack"), ("de", "koffer", "suitcase"), ("fr", "suitcase", "suitcase"),
            ] {
                let bag = try await bags.ask("PackBag", Self.without("bag"), locale: locale)
                let prompt = try await bag.prompt(.needsValue, of: "bag")
                #expect(prompt.options == ["backPack", "suitcase"])
                if locale == "en" { #expect(prompt.dialog == "Which bag: back pack or suitcase?") }
                if locale == "de" { #expect(prompt.dialog == "Was möchtest du für „bag“: back pack oder Koffer?") }
                try await bag.answer(.string(answer))
                let confirmation = try await bag.prompt(.intentConfirmation)
                #expect(confirmation.parameters["bag"] == .string(expected))
                try await bag.cancel()
                _ = try await bag.response()
            }
            let bag = try await bags.ask("PackBag", Self.without("bag"))
            try await bag.prompt(.needsValue, of: "bag")
            try await bag.answer("trunk")
            let refused = try await bag.prompt(.unsupported, of: "bag")
            #expect(refused.options == ["backPack", "suitcase"])
            #expect(refused.dialog == "I can't read trunk as one of these. Which bag: back pack or suitcase?")
            try await bag.choose(at: 1)
            #expect(try await bag.prompt(.intentConfirmation).parameters["bag"] == "suitcase")
            try await bags.replay()
        }
    }

    @Test("The values of `values:` are offered; an offered number is chosen by its place")
    func offersDeclaredValues() async throws {
        try await TestDeployment.with(Self.extensionOfBags) { bags in
            let bag = try await bags.ask("PackBag", Self.without("days").merging(["colour": "green"]) { $1 })
            let refused = try await bag.prompt(.unsupported, of: "colour")
            #expect(refused.options == ["red", "blue"])
            #expect(refused.dialog == "I don't know green. Which colour: red or blue?")
            try await bag.choose("blue")
            let days = try await bag.prompt(.needsValue, of: "days")
            #expect(days.options == [5, 7, 9])
            #expect(days.dialog == "Which days: 5, 7 or 9?")
            try await bag.choose(at: 2)
            #expect(try await bag.prompt(.intentConfirmation).parameters["days"] == 9)
        }
    }

    @Test("A value out of bounds is refused with the bound")
    func refusalNamesBound() async throws {
        try await TestDeployment.with(Self.extensionOfBags) { bags in
            let bag = try await bags.ask("PackBag", Self.said.merging(["items": 12]) { $1 })
            #expect(
                try await bag.prompt(.unsupported, of: "items").dialog
                    == "12 is too much: 9 at most. How many items?"
            )
            let german = try await bags.ask("PackBag", Self.said.merging(["items": 0]) { $1 }, locale: "de")
            #expect(
                try await german.prompt(.unsupported, of: "items").dialog
                    == "0 ist zu wenig: mindestens 1. Welche Zahl möchtest du für „items“?"
            )
        }
    }

    @Test("A title and a prompt are in the user's language, if there are any")
    func titlesAndPromptsFollowUsersLanguage() async throws {
        try await TestDeployment.with(Self.extensionOfBags) { bags in
            for (locale, dialog) in [("de-AT", "In welcher Farbe?"), ("en", "Which colour: red or blue?")] {
                let bag = try await bags.ask("PackBag", Self.without("colour"), locale: locale)
                #expect(try await bag.prompt(.needsValue, of: "colour").dialog == dialog)
            }
        }
    }

    @Test("A handler words a question, a confirmation and a result for the request")
    func handlerChoosesWordsForEachRequest() async throws {
        try await TestDeployment.with(Self.extensionOfBags) { bags in
            let bag = try await bags.ask("PackBag", Self.without("label"), locale: "de")
            #expect(try await bag.prompt(.needsValue, of: "label").dialog == "Wem gehören die 3?")
            try await bag.answer("nobody")
            #expect(try await bag.prompt(.unsupported, of: "label").dialog == "Somebody has to own them. Who?")
            // An invalid answer: the same question stays open.
            try await bag.choose(at: 7)
            #expect(try await bag.prompt(.unsupported, of: "label").dialog == "Somebody has to own them. Who?")
            try await bag.answer("Ada")
            #expect(try await bag.prompt(.intentConfirmation).dialog == "3 items, really?")
            try await bag.accept()
            // There are no German words for this.
            #expect(try await bag.response().data["dialog"] == nil)
            let english = try await bags.ask("PackBag", Self.said)
            try await english.prompt(.intentConfirmation)
            try await english.accept()
            #expect(try await english.response().data["dialog"] == "Packed for Ada.")
            try await bags.replay()
        }
    }
}
