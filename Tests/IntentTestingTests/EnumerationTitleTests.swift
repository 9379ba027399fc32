import IntentKit
import IntentTesting
import Testing

private struct VisitIntent: Intent {
    enum Service: String, EnumerationValue {
        case dentalCleaning, checkup, vaccination, followUp, other

        var title: LocalizedText? {
            switch self {
            case .dentalCleaning: ["en": "dental cleaning", "de": "Zahnreinigung", "fr": "détartrage"]
            case .checkup: ["en": "check-up", "de": "Kontrolle"]
            case .vaccination: ["en": "shots", "de": "Müller-Impfung"]
            // The German title of both is the same, and this one's is the name of another value.
            case .followUp: ["en": "other", "de": "Kontrolle"]
            case .other: nil
            }
        }
    }

    @Parameter(isRequired: true) var service: Service?
    @Parameter var extras: [Service]?
}

private struct VisitHandler: IntentHandler {
    var handling: Handling<VisitIntent> {
        Confirm { _, _ in IntentResponse(code: .ready, requiresUserConfirmation: true) }
        Handle { _, _ in IntentResponse(code: .success) }
    }
}

@Suite("R63: values of an enumeration can be given by title")
struct EnumerationTitleTests {
    private static let clinic = IntentExtension("Clinic") { IntentRegistration { VisitHandler() } }

    @Test(
        "In a request, in any language, ignoring case, accents and spacing",
        arguments: [
            ("dentalCleaning", "dentalCleaning"), ("dental cleaning", "dentalCleaning"),
            ("Zahnreinigung", "dentalCleaning"), ("ZAHN REINIGUNG", "dentalCleaning"),
            ("detartrage", "dentalCleaning"), ("Check-Up", "checkup"), ("Dentalcleaning", "dentalCleaning"),
            // A value's own name takes precedence over a title of another value.
            ("other", "other"),
        ]
    )
    func requestNamesValueByTitle(said: String, meant: String) async throws {
        try await TestDeployment.with(Self.clinic) { clinic in
            let visit = try await clinic.ask("VisitIntent", ["service": .string(said)])
            #expect(try await visit.prompt(.intentConfirmation).parameters["service"] == .string(meant))
            try await clinic.replay()
        }
    }

    @Test("In the spelling variants of the user's language, as in vocabularies")
    func matchesSpellingVariants() async throws {
        try await TestDeployment.with(Self.clinic) { clinic in
            let visit = try await clinic.ask("VisitIntent", ["service": "Mueller-Impfung"], locale: "de-DE")
            #expect(try await visit.prompt(.intentConfirmation).parameters["service"] == "vaccination")
        }
    }

    @Test("In an answer, in a correction, and in a list")
    func answersNameValueByTitle() async throws {
        try await TestDeployment.with(Self.clinic) { clinic in
            let visit = try await clinic.ask("VisitIntent", ["extras": ["Zahnreinigung", "vaccination"]])
            let asked = try await visit.prompt(.needsValue, of: "service")
            #expect(asked.parameters["extras"] == ["dentalCleaning", "vaccination"])
            try await visit.answer("Détartrage")
            #expect(try await visit.prompt(.intentConfirmation).parameters["service"] == "dentalCleaning")
            try await visit.decline(corrections: ["service": "Shots", "extras": "check-up"])
            let corrected = try await visit.prompt(.intentConfirmation)
            #expect(corrected.parameters["service"] == "vaccination")
            #expect(corrected.parameters["extras"] == ["checkup"])
            try await visit.accept()
            #expect(try await visit.response().code == "success")
            try await clinic.replay()
        }
    }

    @Test("A title of several values is a choice among them, alone and in a list")
    func sharedTitleIsAChoice() async throws {
        try await TestDeployment.with(Self.clinic) { clinic in
            let visit = try await clinic.ask(
                "VisitIntent",
                ["service": "kontrolle", "extras": ["shots", "Kontrolle"]],
                locale: "de"
            )
            let choice = try await visit.prompt(.disambiguation, of: "service")
            #expect(choice.options == ["checkup", "followUp"])
            #expect(choice.item == "kontrolle")
            // The same word again is no answer.
            try await visit.answer("Kontrolle")
            try await visit.prompt(.disambiguation, of: "service")
            try await visit.choose("followUp")
            let extra = try await visit.prompt(.disambiguation, of: "extras")
            #expect(extra.options == ["checkup", "followUp"])
            #expect(extra.index == 1)
            try await visit.choose(at: 0)
            let confirmation = try await visit.prompt(.intentConfirmation)
            #expect(confirmation.parameters["service"] == "followUp")
            #expect(confirmation.parameters["extras"] == ["vaccination", "checkup"])
            try await clinic.replay()
        }
    }

    @Test("A word that is no title is repeated as it was said")
    func unknownWordIsRepeatedAsSaid() async throws {
        try await TestDeployment.with(Self.clinic) { clinic in
            let visit = try await clinic.ask("VisitIntent", ["service": "Zahnziehung ABC"])
            let refused = try await visit.prompt(.unsupported, of: "service")
            #expect(refused.dialog.contains("I can't read Zahnziehung ABC as one of these."), "\(refused.dialog)")
            #expect(refused.options.count == 5)
        }
    }

    @Test("A test chooses an option by its title in any language")
    func choosesByTitle() async throws {
        try await TestDeployment.with(Self.clinic) { clinic in
            for title in ["Zahnreinigung", "dental cleaning", "dentalCleaning", "DÉTARTRAGE", "1."] {
                let visit = try await clinic.ask("VisitIntent", locale: "de")
                let prompt = try await visit.prompt(.needsValue, of: "service")
                #expect(prompt.optionTitles.prefix(2) == ["Zahnreinigung", "Kontrolle (1)"])
                try await visit.choose(.string(title))
                #expect(try await visit.prompt(.intentConfirmation).parameters["service"] == "dentalCleaning")
            }
            let visit = try await clinic.ask("VisitIntent", locale: "de")
            try await visit.prompt(.needsValue, of: "service")
            let refused = await #expect(throws: TestError.self) { try await visit.choose("Kontrolle") }
            #expect(refused?.description.contains("is not offered") == true)
        }
    }
}
