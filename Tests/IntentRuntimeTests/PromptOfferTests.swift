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
        constraints.displays = titles.mapValues { DisplayRepresentation(title: $0) }
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

    private static func dogs(_ subtitles: String?...) -> PromptOffer {
        PromptOffer(
            subtitles.indices.map { .string("p-\($0)") },
            displays: subtitles.map {
                DisplayRepresentation(title: "Bello", subtitle: $0.map { LocalizedText($0) }, image: .systemName("dog"))
            },
            of: nil,
            nil
        )
    }

    @Test("Options with the same title and subtitle are numbered in the title")
    func equalWordsAreNumbered() {
        let displays = Self.dogs("Poodle", "Dachshund", "Poodle", nil).displays(locale: "en")
        #expect(displays.map(\.title) == ["Bello (1)", "Bello", "Bello (2)", "Bello"])
        #expect(displays.map(\.subtitle) == ["Poodle", "Dachshund", "Poodle", nil])
        #expect(displays.allSatisfy { $0.image == .systemName("dog") })
    }

    @Test("A title that says nothing is replaced by the value as words; a value without words by a dash")
    func titleIsNeverEmpty() {
        let offer = PromptOffer(["red", ""], displays: [" ", nil], of: nil, nil)
        #expect(offer.displays(locale: "en").map(\.title) == ["red", "–"])
    }

    @Test(
        "A text in the user's language comes first, then one for everybody, then one in English",
        arguments: [("de-CH", "Rot"), ("fr", "Red")]
    )
    func textsAreInUsersLanguage(locale: String, title: String) {
        let display = DisplayRepresentation(title: ["de": "Rot", "en": "Red"], synonyms: [["de": "feuerrot"]])
        let shown = PromptOffer(["r"], displays: [display], of: nil, nil).displays(locale: locale)
        #expect(shown == [OptionDisplay(title: title, synonyms: locale == "fr" ? [] : ["feuerrot"])])
    }

    // MARK: What an answer means

    private static let pets = PromptOffer(
        ["p-7", "p-8", "p-9"],
        displays: [
            DisplayRepresentation(
                title: ["en": "Bello", "de": "Wuffi"],
                subtitle: ["en": "Dachshund", "de": "Dackel"],
                synonyms: [["en": "sausage", "de": "Wurst"], ["en": "three"]]
            ),
            DisplayRepresentation(title: "Bello", subtitle: ["en": "Poodle", "de": "Pudel"]),
            DisplayRepresentation(title: "Minka", subtitle: ["en": "Poodle", "de": "Katze"], synonyms: ["p-7"]),
        ],
        of: nil,
        nil
    )

    @Test(
        "A title finds its options in any language, without regard to case, accents and spacing",
        arguments: [("wuffi", [0]), ("MINKA", [2]), ("Bel lo", [0, 1]), ("Rex", [])] as [(JSONValue, [Int])]
    )
    func findsTitleInAnyLanguage(said: JSONValue, indices: [Int]) {
        #expect(Self.pets.options(meantBy: said, locale: "en") == indices)
    }

    @Test("A synonym finds its option in any language", arguments: ["Sausage", "wurst", "three"] as [JSONValue])
    func findsSynonym(said: JSONValue) {
        #expect(Self.pets.options(meantBy: said, locale: "fr") == [0])
    }

    @Test(
        "A title with its subtitle finds one of several",
        arguments: [
            ("Bello Dachshund", 0), ("Bello (Poodle)", 1), ("bello pudel", 1), ("Wuffi (Dackel)", 0),
        ] as [(JSONValue, Int)]
    )
    func findsTitleWithSubtitle(said: JSONValue, index: Int) {
        #expect(Self.pets.options(meantBy: said, locale: "en") == [index])
    }

    @Test(
        "A subtitle finds its option where no other option has it",
        arguments: [("Dackel", [0]), ("Katze", [2]), ("Pudel", [1]), ("Poodle", [])] as [(JSONValue, [Int])]
    )
    func subtitleOfOneOption(said: JSONValue, indices: [Int]) {
        #expect(Self.pets.options(meantBy: said, locale: "de") == indices)
    }

    @Test("A title with its number finds one of those that look the same", arguments: ["Bello (2)", "bello 2"])
    func findsTitleWithNumber(said: String) {
        #expect(Self.dogs("Poodle", "Dachshund", "Poodle").options(meantBy: .string(said), locale: "en") == [2])
    }

    @Test(
        "A number is the place of an option, from 1",
        arguments: [
            (1, [0]), (3, [2]), ("2", [1]), ("2.", [1]), ("#2", [1]), (" 3 ", [2]), (0, []), (4, []), ("4", []),
            (-1, []), ("2nd", []), ("#", []), (1.0, []),
        ] as [(JSONValue, [Int])]
    )
    func numberIsPosition(said: JSONValue, indices: [Int]) {
        #expect(Self.pets.options(meantBy: said, locale: "en") == indices)
    }

    @Test(
        "Where numbers are offered, a number means itself",
        arguments: [(7, [1]), (2, []), ("2", []), ("7", [1])] as [(JSONValue, [Int])]
    )
    func numberIsValueWhereOptionsAreNumbers(said: JSONValue, indices: [Int]) {
        let offer = PromptOffer([5, 7, 9], of: nil, nil)
        #expect(offer.options(meantBy: said, locale: "en") == indices)
    }

    @Test("A value comes before the words of another value")
    func valueBeforeWordsOfAnother() {
        #expect(Self.pets.options(meantBy: "p-7", locale: "en") == [0])
        #expect(Self.pets.options(meantBy: "P-7", locale: "en") == [0, 2])
        let objects = PromptOffer([["name": "A"], ["name": "B"]], of: nil, nil)
        #expect(objects.options(meantBy: ["name": "B"], locale: "en") == [1])
    }

    @Test("Names, identifiers, and yes and no are words too")
    func findsNames() {
        let people = PromptOffer(
            [["displayName": "Ann Lee", "identifier": "c-1"], ["spokenPhrase": "Bob"]],
            of: nil,
            nil
        )
        #expect(people.options(meantBy: "ann lee", locale: "en") == [0])
        #expect(people.options(meantBy: "C-1", locale: "en") == [0])
        #expect(people.options(meantBy: "bob", locale: "en") == [1])
        let answers = PromptOffer([true, false], of: nil, nil)
        #expect(answers.options(meantBy: "nein", locale: "de-AT") == [1])
        #expect(answers.options(meantBy: "Yes", locale: "de-AT") == [0])
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
