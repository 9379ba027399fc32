import IntentKit
import Testing

@testable import IntentGateway

@Suite("Intents as the gateway describes them")
struct IntentDocumentTests {
    private func document(_ definition: JSONValue, locale: String = "en") throws -> IntentDocument {
        let registry = try IntentRegistry(declaring: [definition])
        let name = try #require(definition["name"]?.string)
        return try #require(IntentDocument(name, of: registry, locale: locale))
    }

    private let booking: JSONValue = [
        "name": "BookTable", "title": ["en": "Book a table", "de": "Tisch reservieren"], "confirmation": "always",
        "parameters": [
            [
                "name": "city", "type": "string", "required": true, "title": ["en": "city", "de": "Stadt"],
                "prompt": ["en": "In which city?", "de": "In welcher Stadt?"],
            ],
            ["name": "people", "type": "integer", "minimum": 1, "maximum": 12, "default": 2],
            ["name": "notes", "type": "string", "list": true],
            [
                "name": "meal", "type": "string",
                "values": [["value": "lunch", "title": ["en": "Lunch", "de": "Mittagessen"]], "dinner"],
            ],
        ],
    ]

    @Test("Titles are in the caller's language")
    func translates() throws {
        let german = try self.document(self.booking, locale: "de-AT")
        #expect(german.title == "Tisch reservieren")
        #expect(german.parameters["properties"]?["city"]?["title"] == "Stadt")
        #expect(german.parameters["properties"]?["city"]?["description"] == "In welcher Stadt?")
        #expect(german.parameters["properties"]?["meal"]?["anyOf"]?.array?.first?["title"] == "Mittagessen")
        #expect(try self.document(self.booking).title == "Book a table")
    }

    @Test("Every value may be given in words, and none is required")
    func letsWordsThrough() throws {
        let schema = try self.document(self.booking).parameters
        #expect(schema["required"] == nil)
        #expect(schema["additionalProperties"] == false)
        let people = schema["properties"]?["people"]
        #expect(people?["anyOf"] == [["type": "integer", "minimum": 1, "maximum": 12], ["type": "string"]])
        #expect(people?["default"] == 2)
        #expect(schema["properties"]?["notes"]?["type"] == "array")
        #expect(schema["properties"]?["notes"]?["items"] == ["type": "string"])
    }

    @Test("Hints follow from the declaration")
    func derivesHints() throws {
        let booking = try self.document(self.booking)
        #expect(booking.isDestructive && !booking.isReadOnly && !booking.isIdempotent)
        let look = try self.document(["name": "Look", "readOnly": true])
        #expect(look.isReadOnly && look.isIdempotent && !look.isDestructive)
        #expect(try self.document(["name": "Pay", "financial": true]).json["hints"]?["confirmedBy"] == "user")
    }

    @Test("An intent without a title is called by the words of its name")
    func readsNames() {
        #expect(IntentDocument.words("INSendMessageIntent") == "Send message")
        #expect(IntentDocument.words("order_tea") == "Order tea")
        #expect(IntentDocument.words("BookTable") == "Book table")
    }
}
