import IntentKit

/// The declared intent of the demo's stories, as a file in `config/intents` would declare it.
enum TableIntent {
    static let name = "Demo.BookTable"

    static let definition: JSONValue = [
        "name": .string(Self.name),
        "title": "Book a table",
        "confirmation": "always",
        "parameters": [
            [
                "name": "restaurant", "type": "string", "required": true,
                "prompt": ["en-US": "Where do you want to eat?"],
            ],
            ["name": "date", "type": "date", "required": true, "prompt": ["en-US": "On which day?"]],
            ["name": "time", "type": "time", "required": true, "prompt": ["en-US": "At what time?"]],
            ["name": "people", "type": "integer", "minimum": 1, "maximum": 12, "default": 2],
            ["name": "area", "type": "string", "values": ["indoors", "terrace", "bar"], "default": "indoors"],
        ],
    ]
}
