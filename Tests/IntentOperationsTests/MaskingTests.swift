import IntentKit
import IntentLab
import Testing

@testable import IntentOperations

@Suite("R40: sensitive values are masked")
struct MaskingTests {
    private let sensitive = Masking(["Call": ["phone"], "Walk": []])

    @Test("The parameter's value is masked, and so are texts that repeat it")
    func masksValueAndTextsThatRepeatIt() {
        let data: JSONValue = [
            "intent": ["name": "Call", "parameters": ["phone": "555-1234", "when": "13:30"]],
            "response": ["phone": ["value": "555-1234"]], "dialog": "Call 555-1234?",
        ]
        let masked = self.sensitive.masked(data)
        #expect(!masked.description.contains("555"))
        #expect(masked["intent"]?["parameters"]?["when"] == "13:30")
        #expect(masked["dialog"] == "Call •••?")
    }

    @Test("Values that contain each other are masked whole, whichever is longer", arguments: 1...8)
    func nestedValuesAreMaskedWhole(seed: UInt64) {
        let sensitive = Masking(["Call": ["phone", "card"]])
        var numbers = SeededNumbers(seed: seed)
        func word(_ count: Int) -> String { String((0..<count).map { _ in numbers.pick(Array("0123456789")) }) }
        let inner = word(Int.random(in: 3...6, using: &numbers))
        let outer = word(numbers.below(3)) + inner + word(Int.random(in: 1...3, using: &numbers))
        let whole = outer + word(2) + inner
        for (phone, card) in [(inner, outer), (outer, inner), (whole, inner), (inner, whole), (outer, whole)] {
            let masked = sensitive.masked([
                "intent": ["name": "Call", "parameters": ["phone": .string(phone), "card": .string(card)]],
                "dialog": .string("Call \(phone) and pay with \(card), (\(phone))?"),
            ])
            #expect(masked["dialog"] == "Call ••• and pay with •••, (•••)?", "\(phone), \(card)")
        }
    }

    @Test("A prompt's options are masked when it asks for a sensitive parameter")
    func masksOptionsOfSensitivePrompt() {
        let options: JSONValue = ["555-1234", "555-5678"]
        let phone: JSONValue = ["intent": ["name": "Call"], "parameter": "phone", "options": options]
        let other: JSONValue = ["intent": ["name": "Call"], "parameter": "when", "options": options]
        // A list stays one: who reads JSON finds the type that it expects.
        #expect(self.sensitive.masked(phone)["options"] == ["•••", "•••"])
        #expect(self.sensitive.masked(other)["options"] == options)
    }

    @Test("R71: the words of a sensitive prompt's options are masked, also where its dialog repeats them")
    func masksWordsOfOptions() {
        let phone: JSONValue = [
            "intent": ["name": "Call"], "parameter": "phone", "options": ["555-1234"], "item": "555",
            "optionDisplays": [["title": "Ann's mobile", "subtitle": "555-1234"]], "itemDisplay": ["title": "Ann's"],
            "dialog": "Do you mean Ann's mobile?",
        ]
        for masked in [self.sensitive.masked(phone), Masking.everything.masked(phone)] {
            #expect(masked["optionDisplays"] == [["title": "•••"]] && masked["itemDisplay"] == ["title": "•••"])
            #expect(masked["dialog"]?.string?.contains("Ann") == false)
        }
    }

    @Test("R73: what was understood of sensitive words is masked, also in the journal and where a dialog repeats it")
    func masksWhatWasUnderstood() {
        let words: JSONValue = ["said": "double five", "value": "55", "display": ["title": "fifty-five"]]
        let prompt: JSONValue = [
            "intent": ["name": "Call"], "dialog": "Call fifty-five?", "understood": ["phone": words, "when": words],
        ]
        let masked = self.sensitive.masked(prompt)
        #expect(masked["understood"]?["phone"] == "•••" && masked["dialog"] == "Call •••?")
        #expect(masked["understood"]?["when"]?["value"] == "55")
        let all = Masking.everything.masked(prompt)
        #expect(all["understood"] == ["phone": "•••", "when": "•••"])
        let read: JSONValue = ["kind": "understood", "name": "phone", "value": ["phone": words]]
        #expect(
            self.sensitive.masked(["intent": "Call", "reads": [read]])["reads"]?.array?.first?["value"]
                == ["phone": "•••"]
        )
    }

    @Test("An answer does not name its parameter, so its value is masked")
    func masksValueOfAnswer() {
        let masked = self.sensitive.masked([
            "action": "accept", "value": "555", "corrections": ["phone": "1", "a": "2"],
        ])
        #expect(masked == ["action": "accept", "value": "•••", "corrections": ["phone": "•••", "a": "2"]])
    }

    @Test("R61: a service's answer is masked by name, as an outcome and among details")
    func masksServiceAnswersByName() {
        let resolved: JSONValue = ["parameters": ["phone": ["outcome": "success", "value": "555-1234"]]]
        #expect(self.sensitive.masked(resolved) == ["parameters": ["phone": "•••"]])
        let confirmed: JSONValue = ["code": "ready", "details": ["phone": "555-1234", "text": "Calling 555-1234"]]
        #expect(
            self.sensitive.masked(confirmed) == [
                "code": "ready", "details": ["phone": "•••", "text": "Calling •••"],
            ]
        )
    }

    @Test("Where it is unknown what is sensitive, every value is masked, but not what happened")
    func masksEveryValueWhenSensitivityIsUnknown() {
        let everything = Masking.everything
        #expect(!everything.isEmpty && everything.contains("when", of: "Walk"))
        let data: JSONValue = [
            "intent": ["name": "Call", "parameters": ["phone": "555", "when": ["1", "2"]]], "dialog": "Call 555?",
            "options": ["555"], "kind": "disambiguation", "parameter": "phone", "response": ["a": "555"],
            // What an interaction keeps between the stages.
            "interaction": [
                "shown": ["b": "555"], "confirmed": ["phone": ["0": "555"]], "refused": ["phone": ["555"]],
            ],
        ]
        let masked = everything.masked(data)
        #expect(!masked.description.contains("555"))
        #expect(masked["intent"] == ["name": "Call", "parameters": ["phone": "•••", "when": ["•••", "•••"]]])
        #expect(masked["kind"] == "disambiguation" && masked["parameter"] == "phone")
        #expect(everything.masked(parameters: ["phone": "555"], of: "Call") == ["phone": "•••"])
        #expect(everything.masked("555", at: "responses[0].user") == "•••")
    }

    @Test("Other intents are not masked, nor is anything without sensitive parameters")
    func otherIntentsAreNotMasked() {
        let data: JSONValue = ["intent": ["name": "Walk", "parameters": ["phone": "555-1234"]]]
        #expect(self.sensitive.masked(data) == data)
        #expect(Masking([String: Set<String>]()).masked(["value": "x"]) == ["value": "x"])
    }
}
