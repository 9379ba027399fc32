import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@Suite("Dialog of prompts")
struct PromptDialogTests {
    private static func text(
        _ kind: PromptKind,
        parameter: String? = "departure_date",
        intentTitle: LocalizedText? = "Book a flight",
        title: LocalizedText? = nil,
        typeName: String = "date",
        values: [JSONValue]? = nil,
        minimum: JSONValue? = nil,
        maximum: JSONValue? = nil,
        own: [String: String] = [:],
        options: [JSONValue] = [],
        item: JSONValue? = nil,
        reason: ReasonDescription? = nil,
        files: [String: PromptTexts.Language] = [:],
        locale: String = "en-US"
    ) -> String {
        var registration = IntentRegistration(usesLedger: false) { GreetHandler() }
        registration.title = intentTitle
        registration.constraints["departure_date"] = ParameterConstraints(
            isRequired: true,
            values: values,
            minimum: minimum,
            maximum: maximum,
            defaultValue: nil
        )
        registration.parameters = [
            ParameterDescription(
                name: "departure_date",
                title: title,
                typeName: typeName,
                accepts: { _ in true },
                isMissing: \.isNull
            )
        ]
        registration.dialog = { _, locale in own[String(locale.prefix(2))] }
        registration.prompts = PromptTexts(files)
        let prompt = Prompt(
            number: 1,
            kind: kind,
            parameter: parameter,
            index: nil,
            attempt: 0,
            options: options,
            item: item,
            reason: reason,
            expiresAt: Timestamp(milliseconds: 0)
        )
        let intent = IntentSnapshot(name: "GreetIntent", parameters: ["name": ["spokenPhrase": "Anna"]])
        return PromptDialog(registration, intent: intent, locale: locale).text(for: prompt)
    }

    private static func language(
        _ sentences: [PromptSentence: String] = [:],
        title: String? = nil,
        _ change: (inout PromptTexts.IntentTexts) -> Void = { _ in }
    ) -> PromptTexts.Language {
        var language = PromptTexts.Language()
        language.sentences = sentences
        var intent = PromptTexts.IntentTexts()
        intent.title = title
        change(&intent)
        language.intents["GreetIntent"] = intent
        return language
    }

    @Test("A question names its parameter by its title, else by the words of its name")
    func asksByNameOrTitle() {
        #expect(Self.text(.needsValue) == "What is the departure date?")
        #expect(Self.text(.needsValue, title: "When you leave") == "Can you tell me when you leave?")
        #expect(Self.text(.needsValue, title: "Abflug", locale: "de") == "Welchen Tag möchtest du für „Abflug“?")
        #expect(Self.text(.needsValue, title: "Wann es losgeht", locale: "de") == "Sagst du mir, wann es losgeht?")
        let titles: LocalizedText = ["en": "Departure", "de": "Abflug"]
        #expect(Self.text(.needsValue, title: titles) == "When is the departure?")
        #expect(Self.text(.needsValue, title: titles, locale: "de-AT") == "Welchen Tag möchtest du für „Abflug“?")
    }

    @Test(
        "In English the question word follows from the type, and the rest from the title",
        arguments: [
            ("date", "Arrival", "When is the arrival?"), ("date", "The day", "What day?"),
            ("time", "Time", "What time?"), ("time", "Alarm", "When is the alarm?"),
            ("dateTime", "Start of the trip", "When is the start of the trip?"),
            ("dateRange", "Nights", "When are the nights?"), ("duration", "Break", "How long is the break?"),
            ("duration", "Duration", "How long?"), ("integer", "Number of people", "How many people?"),
            ("integer", "Repetitions", "How many repetitions?"), ("integer", "Rating", "What is the rating?"),
            ("number", "Weight", "What is the weight?"), ("currencyAmount", "Tip", "How much is the tip?"),
            ("currencyAmount", "Amount", "How much?"), ("currencyAmount", "Your budget", "What is your budget?"),
            ("person", "Recipients", "Who are the recipients?"), ("person", "A guest", "Who is the guest?"),
            ("place", "Destination", "Where is the destination?"), ("place", "Address", "What is the address?"),
            ("boolean", "Gift wrapping", "Gift wrapping, yes or no?"),
            ("string", "A number to call back", "What is the number to call back?"),
            ("string", "Departure Gate", "What is the departure gate?"), ("string", "PIN", "What is the PIN?"),
            ("string", "How many people come", "Can you tell me how many people come?"),
            ("string", "Anything else?", "Anything else?"),
        ]
    )
    func questionWordFollowsTypeInEnglish(typeName: String, title: String, expected: String) {
        #expect(Self.text(.needsValue, title: LocalizedText(title), typeName: typeName) == expected)
    }

    @Test(
        "An intent without a title is called by the words of its name",
        arguments: [
            ("INRequestRideIntent", "Request ride: shall I go on?"), ("LogSetIntent", "Log set: shall I go on?"),
            ("Demo.BookTable", "Demo.book table: shall I go on?"), ("Intent", "Intent: shall I go on?"),
        ]
    )
    func untitledIntentIsCalledByName(name: String, expected: String) {
        let prompt = Prompt(number: 1, kind: .intentConfirmation, expiresAt: Timestamp(milliseconds: 0))
        let dialog = PromptDialog(nil, intent: IntentSnapshot(name: name), locale: "en")
        #expect(dialog.text(for: prompt) == expected)
    }

    @Test(
        "Every kind of prompt has a sentence in each of intentd's languages",
        arguments: [
            ("en", "Which departure date do you mean: A, B or C?"),
            ("de", "Was meinst du bei „departure date“: A, B oder C?"),
            ("fr-CA", "Pour « departure date », est-ce A, B ou C ?"),
            ("es", "En «departure date», ¿te refieres a A, B o C?"),
            ("it", "Which departure date do you mean: A, B or C?"),
        ]
    )
    func everyPromptHasSentenceInEachLanguage(locale: String, expected: String) {
        let options: [JSONValue] = ["A", ["displayName": "B"], ["spokenPhrase": "C"]]
        #expect(Self.text(.disambiguation, options: options, locale: locale) == expected)
        for kind in PromptKind.allCases {
            let text = Self.text(kind, options: options, item: "X", locale: locale)
            #expect(!text.isEmpty && !text.contains("{"), "\(kind): \(text)")
        }
    }

    @Test("A refusal says its reason")
    func refusalSaysReason() {
        let reason = ReasonDescription(code: 1, name: "belowMinimum")
        #expect(
            Self.text(.unsupported, item: 0, reason: reason)
                == "0 is too early. What is the departure date?"
        )
        #expect(
            Self.text(.unsupported, item: 0, reason: reason, locale: "fr")
                == "0 ne va pas. Quel jour pour « departure date » ?"
        )
        var german = PromptTexts.Language()
        german.reasons["belowMinimum"] = "viel zu wenig"
        #expect(
            Self.text(.unsupported, item: 0, reason: reason, files: ["de": german], locale: "de")
                == "0 geht nicht (viel zu wenig). Welchen Tag möchtest du für „departure date“?"
        )
    }

    @Test(
        "A text in the user's language comes before a more specific one in another, and the intent's own before the general"
    )
    func usersLanguageComesBeforeIntentsOwnText() {
        let own = ["en": "When do you leave?", "de": "Wann geht es los?"]
        #expect(Self.text(.needsValue, own: own) == "When do you leave?")
        #expect(Self.text(.needsValue, own: own, locale: "de-AT") == "Wann geht es los?")
        // intentd has Spanish, though the intent does not; Italian has neither.
        #expect(Self.text(.needsValue, own: own, locale: "es") == "¿Qué día quieres para «departure date»?")
        #expect(Self.text(.needsValue, own: own, locale: "it") == "When do you leave?")
    }

    @Test(
        "A file overrides everything: its parameter's sentence before its general one, the region before the language"
    )
    func fileOverridesEverything() {
        let files = [
            "de": Self.language([.disambiguation: "{parameter}: {options}?"]) { intent in
                var texts = PromptTexts.ParameterTexts()
                texts.title = "Abreise"
                texts.sentences[.needsValue] = "Wann fährst du?"
                intent.parameters["departure_date"] = texts
                intent.sentences[.intentConfirmation] = "{title} für {name}?"
                intent.title = "Flug buchen"
            },
            "de-AT": Self.language([.or: "beziehungsweise"]),
            "": Self.language([.confirmationRequired: "{item}, sì?"]),
        ]
        func text(_ kind: PromptKind, _ locale: String, parameter: String? = "departure_date") -> String {
            Self.text(
                kind,
                parameter: parameter,
                own: ["de": "Wann geht es los?"],
                options: ["A", "B"],
                item: "X",
                files: files,
                locale: locale
            )
        }
        #expect(text(.needsValue, "de-CH") == "Wann fährst du?")
        #expect(text(.disambiguation, "de") == "Abreise: A oder B?")
        #expect(text(.disambiguation, "de-AT") == "Abreise: A beziehungsweise B?")
        #expect(text(.intentConfirmation, "de", parameter: nil) == "Flug buchen für Anna?")
        #expect(text(.confirmationRequired, "it") == "X, sì?")
        #expect(text(.confirmationRequired, "de") == "Ist X gemeint?")
    }

    @Test(
        "A title is in the user's language if there is one, the file's before the definition's; else in another (R63)",
        arguments: 0..<16
    )
    func titleIsChosenByLanguage(present: Int) {
        // What is there of each, in the order in which it counts.
        let titles = ["Fichero", "Definici\u{F3}n", "File", "Definition"]
        let isPresent = titles.indices.map { present & (1 << $0) != 0 }
        var parameter = PromptTexts.ParameterTexts()
        var files: [String: PromptTexts.Language] = [:]
        for (index, locale) in [(0, "es"), (2, "")] where isPresent[index] {
            parameter.title = titles[index]
            files[locale] = Self.language(title: titles[index]) { $0.parameters["departure_date"] = parameter }
        }
        var own: [String: String] = [:]
        for (index, locale) in [(1, "es"), (3, "en")] where isPresent[index] { own[locale] = titles[index] }
        let expected = zip(titles, isPresent).first(where: \.1)?.0
        var asked = files
        asked["es", default: PromptTexts.Language()].sentences[.confirmationRequired] = "{title}, {parameter}"
        let title = own.isEmpty ? nil : LocalizedText(own)
        let text = Self.text(
            .confirmationRequired,
            intentTitle: title,
            title: title,
            item: "X",
            files: asked,
            locale: "es-MX"
        )
        #expect(text == "\(expected ?? "Greet"), \(expected ?? "departure date")")
    }

    @Test("Up to seven allowed values are named; of more, none is (R63)", arguments: 1...10)
    func namesUpToSeven(count: Int) {
        let values = (1...count).map { "v\($0)" }
        let text = Self.text(.needsValue, typeName: "string", values: values.map(JSONValue.string))
        #expect(values.allSatisfy { text.contains($0) } == (count <= 7), "\(text)")
        #expect(values.contains { text.contains($0) } == (count <= 7), "\(text)")
    }

    @Test("Braces are filled in, doubled ones are printed, and an unpaired one is a problem")
    func fillsTemplateBraces() {
        #expect(PromptTemplate("a {b} {{c}} {d}").filled { ["b": "B"][$0] } == "a B {c} ")
        #expect(PromptTemplate("a {b} {{c}}").names == ["b"])
        #expect(PromptTemplate("a {b}").problem == nil)
        for text in ["a {b", "a } b"] { #expect(PromptTemplate(text).problem != nil) }
    }

    @Test("R63c: the dialog of a refused number names the bound that it violates")
    func refusedNumberNamesItsBound() {
        func text(_ item: JSONValue, _ reason: DeclaredUnsupportedReason) -> String {
            let reason = ReasonDescription(reason)
            return Self.text(.unsupported, typeName: "integer", minimum: 1, maximum: 12, item: item, reason: reason)
        }
        #expect(text(0, .belowMinimum).contains("1 at least"))
        #expect(text(40, .aboveMaximum).contains("12 at most"))
    }
}
