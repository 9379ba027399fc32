import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// A visit to the vet; there are two dogs called Bello, and a cat.
struct VetIntent: Intent {
    enum Service: String, EnumerationValue {
        case checkup, vaccination, other

        var displayRepresentation: DisplayRepresentation? {
            switch self {
            case .checkup:
                DisplayRepresentation(
                    title: ["en": "Check-up", "de": "Vorsorge"],
                    subtitle: ["en": "20 minutes", "de": "20 Minuten"],
                    image: .systemName("stethoscope"),
                    synonyms: [["en": "exam", "de": "Kontrolle"], ["en": "once-over"]]
                )
            case .vaccination: DisplayRepresentation(title: ["en": "Vaccination", "de": "Impfung"])
            case .other: nil
            }
        }
    }

    static let intentName = "VetIntent"

    @Parameter var pet: String?
    @Parameter var companions: [String]?
    @Parameter(isRequired: true) var service: Service?
}

struct VetHandler: IntentHandler {
    /// The identifiers of the pets that are offered.
    var pets = ["p-7", "p-9"]
    /// A subtitle in place of the usual one.
    var subtitle: String?

    var handling: Handling<VetIntent> {
        Resolve(\.$pet) { said, _ in
            guard let said else { return .notRequired() }
            if self.pets.contains(said) { return .success(with: said) }
            return .disambiguation(with: self.pets) { self.display($0) }
        }
        Resolve(\.$companions) { said, _ in
            (said ?? [])
                .map { name in
                    if self.pets.contains(name) { return .success(with: name) }
                    return .disambiguation(with: self.pets) { self.display($0) }
                }
        }
        Handle { _, _ in IntentResponse(code: .success) }
    }

    private func display(_ pet: String) -> DisplayRepresentation? {
        if let subtitle = self.subtitle {
            return DisplayRepresentation(title: "Bello", subtitle: LocalizedText(subtitle))
        }
        switch pet {
        case "p-7":
            return DisplayRepresentation(
                title: "Bello",
                subtitle: ["en": "Dachshund", "de": "Dackel"],
                image: .url("https://vet.example/p-7"),
                synonyms: ["Belly"]
            )
        case "p-9": return DisplayRepresentation(title: "Bello", subtitle: ["en": "Poodle", "de": "Pudel"])
        default: return nil
        }
    }
}

/// Runs turns of a conversation with ``VetHandler``, each on the state that the one before has written.
enum VetTurns {
    static func ask(
        _ parameters: JSONObject,
        locale: String = "en-US",
        _ handler: VetHandler = VetHandler(),
        behaviour: Int? = nil
    ) async throws -> TurnResult {
        let data: JSONValue = [
            "intent": ["name": "VetIntent", "parameters": .object(parameters)], "locale": .string(locale),
            "user": ["id": "u1"],
        ]
        let request = StillTurn.stored(.intentRequested, data, on: .requests)
        let registrations = [IntentRegistration { handler }]
        return try #require(try await StillTurn.run(request, in: .resolve, registrations, behaviour: behaviour))
    }

    /// Answers the prompt of that result.
    static func answer(
        _ answer: JSONObject,
        to result: TurnResult,
        _ handler: VetHandler = VetHandler(),
        behaviour: Int? = nil
    ) async throws -> TurnResult {
        let interaction = try #require(result.written(.interaction("0:7"), Interaction.self))
        let known = try #require(result.written(.known("i1"), KnownInteraction.self))
        let table = StateTable()
        // The state is read again, as after a restart.
        table.set(.interaction("0:7"), user: "u1", interaction.utf8)
        table.set(.known("i1"), user: "u1", known.utf8)
        var data = answer
        data["promptId"] = .string("i1/r/\(interaction.prompt?.number ?? 0)")
        data["user"] = ["id": "u1"]
        let event = StillTurn.stored(.promptAnswered, .object(data), on: .requests, offset: 8)
        let registrations = [IntentRegistration { handler }]
        return try #require(try await StillTurn.run(event, in: .resolve, registrations, table, behaviour: behaviour))
    }
}

@Suite("R71: prompts say how their options are shown", .timeLimit(.minutes(1)))
struct DisplayTests {
    @Test("A resolver's words are beside its options, in the user's language, and distinguish them in the dialog")
    func optionsHaveWordsOfResolver() async throws {
        let english = try #require(try await VetTurns.ask(["pet": "Bello"]).data(of: .promptIssued))
        #expect(english["options"] == ["p-7", "p-9"])
        #expect(
            english["optionDisplays"] == [
                [
                    "title": "Bello", "subtitle": "Dachshund", "image": ["url": "https://vet.example/p-7"],
                    "synonyms": ["Belly"],
                ],
                ["title": "Bello", "subtitle": "Poodle"],
            ]
        )
        #expect(english["item"] == "Bello" && english["itemDisplay"] == ["title": "Bello"])
        #expect(english["dialog"] == "Which pet do you mean: Bello (Dachshund) or Bello (Poodle)?")
        let german = try #require(try await VetTurns.ask(["pet": "Bello"], locale: "de-AT").data(of: .promptIssued))
        #expect(german["optionDisplays"]?.array?.map { $0["subtitle"] } == ["Dackel", "Pudel"])
        #expect(german["dialog"]?.string?.contains("Bello (Dackel) oder Bello (Pudel)") == true)
    }

    @Test("Declared words are beside the values of an enumeration; a value without words has those of the dialog")
    func valuesOfEnumerationHaveDeclaredWords() async throws {
        let prompt = try #require(try await VetTurns.ask([:], locale: "de").data(of: .promptIssued))
        #expect(prompt["options"] == ["checkup", "vaccination", "other"])
        #expect(
            prompt["optionDisplays"] == [
                [
                    "title": "Vorsorge", "subtitle": "20 Minuten", "image": ["systemName": "stethoscope"],
                    "synonyms": ["Kontrolle"],
                ],
                ["title": "Impfung"], ["title": "other"],
            ]
        )
        #expect(prompt["itemDisplay"] == nil)
    }

    @Test("A single option is the value in question, with its words")
    func singleOptionIsItemWithWords() async throws {
        let handler = VetHandler(pets: ["p-9"])
        let prompt = try #require(try await VetTurns.ask(["pet": "Bello"], handler).data(of: .promptIssued))
        #expect(prompt["kind"] == "confirmationRequired")
        #expect(prompt["item"] == "p-9" && prompt["options"] == [])
        #expect(prompt["itemDisplay"] == ["title": "Bello", "subtitle": "Poodle"])
        #expect(prompt["optionDisplays"] == nil)
        #expect(prompt["dialog"] == "Do you mean Bello?")
    }

    @Test("The words are kept with the prompt, and shown again when the question is repeated")
    func wordsAreKeptWithPrompt() async throws {
        let first = try await VetTurns.ask(["pet": "Bello"])
        let kept = try #require(first.written(.interaction("0:7"), Interaction.self))
        #expect(kept.prompt?.displays.map { $0?.title } == ["Bello", "Bello"])
        #expect(Interaction(text: kept.utf8) == kept)
        let again = try await VetTurns.answer(["choice": 7], to: first)
        let (one, other) = (try first.data(of: .promptIssued), try again.data(of: .promptIssued))
        #expect(other?["again"]?["reason"] == "noSuchChoice")
        #expect(other?["optionDisplays"] == one?["optionDisplays"])
        #expect(other?["dialog"] == one?["dialog"])
    }

    @Test("Where the words of a prompt are more than 256 KiB, subtitles are left out before options or titles")
    func displaysAreLeftOutBeforeOptions() async throws {
        let handler = VetHandler(
            pets: (0..<300).map { "p-\($0)" },
            subtitle: String(repeating: "s", count: 1_024)
        )
        let result = try await VetTurns.ask(["pet": "Bello"], handler)
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["options"]?.array?.count == 300)
        #expect(prompt["optionDisplays"]?.array?.first == ["title": "Bello (1)"])
        #expect(prompt["optionDisplays"]?.array?.last == ["title": "Bello (300)"])
        let few = VetHandler(pets: ["p-1", "p-2"], subtitle: handler.subtitle)
        let short = try #require(try await VetTurns.ask(["pet": "Bello"], few).data(of: .promptIssued))
        #expect(short["optionDisplays"]?.array?.last?["subtitle"]?.string?.utf8.count == 1_024)
    }

    @Test(
        "R58: a turn of behaviour 5 writes no displays, and names options with the same title alike",
        arguments: [3, 4, 5]
    )
    func behaviour5WritesNoDisplays(_ behaviour: Int) async throws {
        let result = try await VetTurns.ask(["pet": "Bello"], behaviour: behaviour)
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["optionDisplays"] == nil && prompt["itemDisplay"] == nil)
        #expect(prompt["dialog"] == "Which pet do you mean: p-7 or p-9?")
        #expect(result.written(.interaction("0:7"), Interaction.self)?.prompt?.displays.isEmpty == true)
    }
}
