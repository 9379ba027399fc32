import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@Suite("What is said at prompts")
struct PromptDialogTests {
    private static func text(
        _ kind: PromptKind,
        parameter: String? = "departure_date",
        title: String? = nil,
        own: [String: String] = [:],
        options: [JSONValue] = [],
        item: JSONValue? = nil,
        reason: ReasonDescription? = nil,
        files: [String: PromptTexts.Language] = [:],
        locale: String = "en-US"
    ) -> String {
        var registration = IntentRegistration(usesLedger: false) { GreetHandler() }
        registration.title = "Book a flight"
        registration.parameters = [
            ParameterDescription(
                name: "departure_date",
                title: title,
                typeName: "date",
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

    @Test("A parameter is asked for by its name as words, or by its title")
    func asks() {
        #expect(Self.text(.needsValue) == "What should the departure date be?")
        #expect(Self.text(.needsValue, title: "When you leave") == "I still need: When you leave.")
        #expect(Self.text(.needsValue, title: "Abflug", locale: "de") == "Ich brauche noch: Abflug.")
    }

    @Test(
        "An intent without a title is called by its name as words",
        arguments: [
            ("INRequestRideIntent", "Request ride: shall I go on?"), ("LogSetIntent", "Log set: shall I go on?"),
            ("Demo.BookTable", "Demo.book table: shall I go on?"), ("Intent", "Intent: shall I go on?"),
        ]
    )
    func untitled(name: String, expected: String) {
        let prompt = Prompt(number: 1, kind: .intentConfirmation, expiresAt: Timestamp(milliseconds: 0))
        let dialog = PromptDialog(nil, intent: IntentSnapshot(name: name), locale: "en")
        #expect(dialog.text(for: prompt) == expected)
    }

    @Test(
        "Every kind of prompt has its sentence, in the languages that intentd speaks",
        arguments: [
            ("en", "Which departure date do you mean: A, B or C?"),
            ("de", "Was ist bei „departure date“ gemeint: A, B oder C?"),
            ("fr-CA", "Pour « departure date », est-ce A, B ou C ?"),
            ("es", "En «departure date», ¿te refieres a A, B o C?"),
            ("it", "Which departure date do you mean: A, B or C?"),
        ]
    )
    func languages(locale: String, expected: String) {
        let options: [JSONValue] = ["A", ["displayName": "B"], ["spokenPhrase": "C"]]
        #expect(Self.text(.disambiguation, options: options, locale: locale) == expected)
        for kind in PromptKind.allCases {
            let text = Self.text(kind, options: options, item: "X", locale: locale)
            #expect(!text.isEmpty && !text.contains("{"), "\(kind): \(text)")
        }
    }

    @Test("Why a value is not taken is said")
    func reasons() {
        let reason = ReasonDescription(code: 1, name: "belowMinimum")
        #expect(
            Self.text(.unsupported, item: 0, reason: reason)
                == "0 can't be used as departure date (below minimum). What should it be?"
        )
        #expect(
            Self.text(.unsupported, item: 0, reason: reason, locale: "fr")
                == "0 ne va pas pour « departure date » (trop peu). Que faut-il mettre ?"
        )
        var german = PromptTexts.Language()
        german.reasons["belowMinimum"] = "viel zu wenig"
        #expect(
            Self.text(.unsupported, item: 0, reason: reason, files: ["de": german], locale: "de")
                == "0 geht bei „departure date“ nicht (viel zu wenig). Was soll es sein?"
        )
    }

    @Test("The user's language goes before another one's better text; the intent's own before the general")
    func fallback() {
        let own = ["en": "When do you leave?", "de": "Wann geht es los?"]
        #expect(Self.text(.needsValue, own: own) == "When do you leave?")
        #expect(Self.text(.needsValue, own: own, locale: "de-AT") == "Wann geht es los?")
        // Spanish is spoken, if not by the intent; Italian by nobody.
        #expect(Self.text(.needsValue, own: own, locale: "es") == "¿Qué valor pongo en «departure date»?")
        #expect(Self.text(.needsValue, own: own, locale: "it") == "When do you leave?")
    }

    @Test(
        "A file goes before everything: its parameter's sentence, then the general one, the region before the language"
    )
    func files() {
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

    @Test("Braces are filled, doubled ones are said, a lone one is a problem")
    func templates() {
        #expect(PromptTemplate("a {b} {{c}} {d}").filled { ["b": "B"][$0] } == "a B {c} ")
        #expect(PromptTemplate("a {b} {{c}}").names == ["b"])
        #expect(PromptTemplate("a {b}").problem == nil)
        for text in ["a {b", "a } b"] { #expect(PromptTemplate(text).problem != nil) }
    }
}
