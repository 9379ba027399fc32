import IntentKit
import Testing

@testable import IntentGateway

@Suite("R86: prompts as elicitations")
struct PromptElicitationTests {
    private func elicitation(_ members: JSONObject) throws -> PromptElicitation {
        var prompt: JSONObject = [
            "promptId": "i/r/1", "kind": "needsValue", "parameter": "time", "dialog": "At what time?", "options": [],
            "accepts": ["actions": ["accept", "decline", "cancel"], "value": ["type": "time", "list": false]],
            "intent": ["name": "BookTable", "parameters": [:]],
        ]
        prompt.merge(members) { _, new in new }
        return try #require(PromptElicitation(.object(prompt), of: nil))
    }

    private let choices: JSONObject = [
        "kind": "disambiguation", "parameter": "dog", "options": ["a", "b"],
        "optionDisplays": [["title": "Bello", "subtitle": "Dachshund"], ["title": "Rex"]],
        "accepts": ["actions": ["accept"], "choices": 2, "value": ["type": "string", "list": false]],
    ]

    @Test("A value is asked for by one required member of its type")
    func asksForValue() throws {
        let form = try self.elicitation([:]).form(for: .v20260728)
        #expect(form["mode"] == "form")
        #expect(form["message"] == "At what time?")
        #expect(form["requestedSchema"]?["properties"]?["value"] == ["type": "string", "title": "Time"])
        #expect(form["requestedSchema"]?["required"] == ["value"])
        let number = try self.elicitation([
            "accepts": ["value": ["type": "integer", "list": false, "minimum": 1, "maximum": 12]]
        ])
        let schema = number.form(for: .v20260728)["requestedSchema"]?["properties"]?["value"]
        #expect(schema == ["type": "integer", "title": "Time", "minimum": 1, "maximum": 12])
    }

    @Test("Options are numbered, with the titles that people see")
    func offersChoices() throws {
        let elicitation = try self.elicitation(self.choices)
        let choice = elicitation.form(for: .v20251125)["requestedSchema"]?["properties"]?["choice"]
        #expect(choice?["oneOf"] == [["const": "1", "title": "Bello (Dachshund)"], ["const": "2", "title": "Rex"]])
        let old = elicitation.form(for: .v20250618)
        #expect(old["mode"] == nil)
        #expect(old["requestedSchema"]?["properties"]?["choice"]?["enumNames"] == ["Bello (Dachshund)", "Rex"])
        let answer = try elicitation.answer(["action": "accept", "content": ["choice": "2"]])
        #expect(answer == ["promptId": "i/r/1", "action": "accept", "choice": 1])
        let words = try elicitation.answer(["action": "accept", "content": ["value": "the small one"]])
        #expect(words["value"] == "the small one")
    }

    @Test("Several options of a list are chosen at once, and several values are separated by commas")
    func readsLists() throws {
        var members = self.choices
        members["accepts"] = ["choices": 2, "value": ["type": "string", "list": true]]
        let elicitation = try self.elicitation(members)
        #expect(elicitation.form(for: .v20260728)["requestedSchema"]?["properties"]?["choice"]?["type"] == "array")
        let chosen = try elicitation.answer(["action": "accept", "content": ["choice": ["2", "1"]]])
        #expect(chosen["value"] == ["b", "a"])
        let typed = try elicitation.answer(["action": "accept", "content": ["value": "Rex, Luna"]])
        #expect(typed["value"] == ["Rex", "Luna"])
    }

    @Test("A question whether to do it shows the values, and a changed one is a correction")
    func correctsAtConfirmation() throws {
        let elicitation = try self.elicitation([
            "kind": "intentConfirmation", "parameter": .null,
            "intent": [
                "name": "BookTable", "parameters": ["people": 2, "city": "Rome", "place": ["name": "Old Mill"]],
            ],
        ])
        let properties = elicitation.form(for: .v20260728)["requestedSchema"]?["properties"]
        #expect(properties?["people"] == ["type": "integer", "default": 2, "title": "People"])
        #expect(properties?["place"]?["default"] == "Old Mill")
        let same: JSONValue = ["people": 2, "city": "Rome", "place": "Old Mill"]
        let yes = try elicitation.answer(["action": "accept", "content": same])
        #expect(yes == ["promptId": "i/r/1", "action": "accept"])
        #expect(try elicitation.answer(["action": "accept"])["action"] == "accept")
        let change = try elicitation.answer(["action": "accept", "content": ["people": 3, "city": "Rome"]])
        #expect(change == ["promptId": "i/r/1", "action": "decline", "corrections": ["people": 3]])
    }

    @Test("Declining and giving up are passed on")
    func passesActionsOn() throws {
        let elicitation = try self.elicitation([:])
        #expect(try elicitation.answer(["action": "decline"]) == ["promptId": "i/r/1", "action": "decline"])
        #expect(try elicitation.answer(["action": "cancel"]) == ["promptId": "i/r/1", "action": "cancel"])
    }

    @Test(
        "An answer of another form is refused",
        arguments: [
            [:], ["action": "maybe"], ["action": "accept", "content": 4],
            ["action": "accept", "content": ["choice": "3"]], ["action": "accept", "content": ["choice": "0"]],
            ["action": "accept", "content": ["choice": ["1", "9"]]], ["action": "accept", "content": ["choice": true]],
        ] as [JSONObject]
    )
    func refusesMalformedAnswers(result: JSONObject) throws {
        let elicitation = try self.elicitation(self.choices)
        #expect(throws: JSONRPCError.self) { try elicitation.answer(result) }
    }

    @Test("A page is named by its address, with an id where the revision has one")
    func sendsToPage() throws {
        let elicitation = try self.elicitation([:])
        let page = "https://intents.example/confirm/i"
        #expect(elicitation.page(page, for: .v20260728)["url"]?.string == page)
        #expect(elicitation.page(page, for: .v20260728)["elicitationId"] == nil)
        #expect(elicitation.page(page, for: .v20251125)["elicitationId"] == "i/r/1")
    }
}
