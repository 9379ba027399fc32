import IntentKit
import Testing

@testable import IntentOperations

@Suite("Answers typed at a prompt")
struct TypedAnswerTests {
    private static let parameters = [
        ("people", "integer"), ("time", "time"), ("restaurant", "string"),
    ]
    .map { name, type in
        ParameterDescription(
            name: name,
            typeName: type,
            accepts: { json in
                switch type {
                case "integer": json.integer != nil
                case "time": json.string.flatMap(TimeOfDay.init) != nil
                default: json.string != nil
                }
            },
            isMissing: { _ in false }
        )
    }

    private static let answers = TypedAnswer(parameters: Self.parameters)

    private static let confirmation: JSONValue = ["kind": "intentConfirmation"]

    private static func prompt(_ parameter: String, options: Int = 0) -> JSONValue {
        [
            "kind": options > 0 ? "disambiguation" : "needsValue", "parameter": .string(parameter),
            "options": .array((0..<options).map { .string("option \($0)") }),
        ]
    }

    @Test("The hint says what is accepted")
    func hintSaysWhatIsAccepted() {
        #expect(Self.answers.hint(Self.prompt("time")) == "a time, such as 19:30 or 7pm, or cancel")
        #expect(Self.answers.hint(Self.prompt("restaurant")) == "a value, or cancel")
    }

    @Test("R73: a value of the type is sent as JSON, and words as they are typed: the stage reads them")
    func sendsWordsAsTyped() throws {
        #expect(try Self.answers.data("7", to: Self.prompt("people"))["value"] == 7)
        #expect(try Self.answers.data("7pm", to: Self.prompt("time"))["value"] == "7pm")
        #expect(try Self.answers.data("seven", to: Self.prompt("people"))["value"] == "seven")
        #expect(try Self.answers.data("time=19.30", to: Self.confirmation)["corrections"] == ["time": "19.30"])
    }

    @Test(
        "Yes and no are understood in each of intentd's languages",
        arguments: [("ja", "accept"), ("Nein", "decline"), ("oui", "accept"), ("non", "decline"), ("sí", "accept")]
    )
    func readsYesAndNoInEachLanguage(word: String, action: String) throws {
        #expect(try Self.answers.data(word, to: Self.confirmation) == ["action": .string(action)])
    }

    @Test("An unclear yes or no, an unknown choice and a misspelt parameter cost no attempt")
    func misunderstoodAnswerCostsNoAttempt() throws {
        #expect(throws: NotUnderstood("'maybe' is neither yes nor no")) {
            try Self.answers.data("maybe", to: Self.confirmation)
        }
        #expect(throws: NotUnderstood("there is no choice 7: choose 1 to 2")) {
            try Self.answers.data("7", to: Self.prompt("restaurant", options: 2))
        }
        #expect(throws: NotUnderstood.self) {
            try Self.answers.data("resturant=Old Mill", to: Self.confirmation)
        }
        // Where a number is a value of the parameter, it may be meant as one.
        #expect(try Self.answers.data("7", to: Self.prompt("people", options: 2))["value"] == 7)
        #expect(try Self.answers.data("2", to: Self.prompt("people", options: 2))["choice"] == 1)
    }

    private static let pets: JSONValue = [
        "kind": "disambiguation", "parameter": "restaurant", "options": ["p-7", "p-9", "p-11"],
        "optionDisplays": [
            ["title": "Bello", "subtitle": "Dachshund", "synonyms": ["Belly"]],
            ["title": "Bello", "subtitle": "Poodle"], ["title": "Minka"],
        ],
    ]

    @Test(
        "R71: an option is called by its words in the event, or by its number",
        arguments: [
            ("minka", 2), ("belly", 0), ("Bello Poodle", 1), ("Dachshund", 0), ("2.", 1), ("#3", 2), ("p-9", 1),
        ] as [(String, Int64)]
    )
    func readsWordsOfEvent(line: String, choice: Int64) throws {
        #expect(try Self.answers.data(line, to: Self.pets) == ["action": "accept", "choice": .integer(choice)])
    }

    @Test("Words of several options, and words that the event does not have, are left to the stage")
    func leavesOtherWordsToStage() throws {
        for line in ["Bello", "Dackel"] {
            #expect(try Self.answers.data(line, to: Self.pets) == ["action": "accept", "value": .string(line)])
        }
    }

    @Test("Where a value is asked for, yes and no are values; only a word that cancels is not")
    func yesAndNoCanBeValues() throws {
        #expect(try Self.answers.data("no", to: Self.prompt("restaurant")) == ["action": "accept", "value": "no"])
        #expect(try Self.answers.data("Abbrechen", to: Self.prompt("restaurant")) == ["action": "cancel"])
    }

    @Test("A user whose language is German gets hints and errors in German")
    func hintsAndErrorsInGerman() throws {
        let answers = TypedAnswer(parameters: Self.parameters, locale: "de-AT")
        #expect(answers.hint(Self.prompt("time")) == "eine Uhrzeit wie 19:30 oder 7 Uhr, oder abbrechen")
        #expect(answers.hint(Self.confirmation) == "ja, nein, abbrechen, oder parameter=wert zum Ändern")
        #expect(try answers.data("7 Uhr", to: Self.prompt("time"))["value"] == "7 Uhr")
        #expect(throws: NotUnderstood("'vielleicht' ist weder ja noch nein")) {
            try answers.data("vielleicht", to: Self.confirmation)
        }
    }

    @Test("Tab offers options, yes and no where they answer, and parameters to correct")
    func tabOffersOptionsAnswersAndParameters() {
        let offered = Self.answers.completion(Self.prompt("restaurant", options: 2))
        #expect(offered.lines(beginningWith: "OPT") == ["option 0", "option 1"])
        let pets = Self.answers.completion(Self.pets)
        #expect(pets.answers == ["Bello (Dachshund)", "Bello (Poodle)", "Minka", "cancel"])
        let confirmation = Self.answers.completion(Self.confirmation)
        #expect(confirmation.lines(beginningWith: "") == ["yes", "no", "cancel", "people=", "time=", "restaurant="])
        #expect(Self.answers.completion(Self.prompt("time")).lines(beginningWith: "y").isEmpty)
    }

    @Test("An option that would control the terminal is not offered for completion")
    func hostileOptionsAreNotCompleted() {
        let prompt: JSONValue = ["kind": "disambiguation", "parameter": "restaurant", "options": ["a\u{1B}[2J", "b"]]
        #expect(Self.answers.completion(prompt).answers == ["b", "cancel"])
    }

    @Test("Input that may be sensitive is not kept: the value, a correction of it, and anything for an unknown intent")
    func sensitiveInputIsNotKept() {
        var parameters = Self.parameters
        parameters[2].isSensitive = true
        let answers = TypedAnswer(parameters: parameters)
        #expect(answers.isSensitive("4111", at: Self.prompt("restaurant")))
        #expect(answers.isSensitive("restaurant=4111", at: Self.confirmation))
        #expect(!answers.isSensitive("7pm", at: Self.prompt("time")))
        #expect(answers.isSensitive("7pm", at: Self.prompt("other")))
        #expect(TypedAnswer().isSensitive("7pm", at: Self.confirmation))
    }
}
