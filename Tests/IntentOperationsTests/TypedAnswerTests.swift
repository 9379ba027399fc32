import IntentKit
import Testing

@testable import IntentOperations

@Suite("What is typed at a prompt")
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
    func hints() {
        #expect(Self.answers.hint(Self.prompt("time")) == "a time, such as 19:30 or 7pm, or cancel")
        #expect(Self.answers.hint(Self.prompt("restaurant")) == "a value, or cancel")
    }

    @Test("A value is taken as it is said")
    func values() throws {
        #expect(try Self.answers.data("7pm", to: Self.prompt("time"))["value"] == "19:00")
        #expect(try Self.answers.data("soon", to: Self.prompt("time"))["value"] == "soon")
        #expect(try Self.answers.data("time=19.30", to: Self.confirmation)["corrections"] == ["time": "19:30"])
    }

    @Test("Yes and no are understood in English and German", arguments: [("ja", "accept"), ("Nein", "decline")])
    func words(word: String, action: String) throws {
        #expect(try Self.answers.data(word, to: Self.confirmation) == ["action": .string(action)])
    }

    @Test("What is neither yes nor no, a choice that there is not, and a near miss of a parameter cost no attempt")
    func notUnderstood() throws {
        #expect(throws: NotUnderstood("'maybe' is neither yes nor no")) {
            try Self.answers.data("maybe", to: Self.confirmation)
        }
        #expect(throws: NotUnderstood("there is no choice 7: it is 1 to 2")) {
            try Self.answers.data("7", to: Self.prompt("restaurant", options: 2))
        }
        #expect(throws: NotUnderstood.self) {
            try Self.answers.data("resturant=Old Mill", to: Self.confirmation)
        }
        // Where a number is a value of the parameter, it may be meant as one.
        #expect(try Self.answers.data("7", to: Self.prompt("people", options: 2))["value"] == 7)
        #expect(try Self.answers.data("2", to: Self.prompt("people", options: 2))["choice"] == 1)
    }

    @Test("Where a value is asked for, yes and no are values; only a word that cancels does not answer")
    func valuesThatAreWords() throws {
        #expect(try Self.answers.data("no", to: Self.prompt("restaurant")) == ["action": "accept", "value": "no"])
        #expect(try Self.answers.data("Abbrechen", to: Self.prompt("restaurant")) == ["action": "cancel"])
    }

    @Test("Who asks in German is told in German what is accepted")
    func german() throws {
        let answers = TypedAnswer(parameters: Self.parameters, locale: "de-AT")
        #expect(answers.hint(Self.prompt("time")) == "eine Uhrzeit wie 19:30 oder 7 Uhr, oder abbrechen")
        #expect(answers.hint(Self.confirmation) == "ja, nein, abbrechen, oder parameter=wert zum Ändern")
        #expect(try answers.data("7 Uhr", to: Self.prompt("time"))["value"] == "07:00")
        #expect(throws: NotUnderstood("'vielleicht' ist weder ja noch nein")) {
            try answers.data("vielleicht", to: Self.confirmation)
        }
    }

    @Test("Tab offers options, yes and no where they answer, and parameters to correct")
    func completion() {
        let offered = Self.answers.completion(Self.prompt("restaurant", options: 2))
        #expect(offered.lines(beginningWith: "OPT") == ["option 0", "option 1"])
        let confirmation = Self.answers.completion(Self.confirmation)
        #expect(confirmation.lines(beginningWith: "") == ["yes", "no", "cancel", "people=", "time=", "restaurant="])
        #expect(Self.answers.completion(Self.prompt("time")).lines(beginningWith: "y").isEmpty)
    }

    @Test("A value that would steer the terminal is not offered to be typed")
    func hostileOptions() {
        let prompt: JSONValue = ["kind": "disambiguation", "parameter": "restaurant", "options": ["a\u{1B}[2J", "b"]]
        #expect(Self.answers.completion(prompt).answers == ["b", "cancel"])
    }

    @Test("What may be sensitive is kept nowhere: the value, a correction of it, and all of an unknown intent")
    func sensitive() {
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
