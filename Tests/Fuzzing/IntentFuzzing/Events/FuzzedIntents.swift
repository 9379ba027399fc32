#if DEBUG || FUZZING
@testable import DeclaredIntents
@testable import IntentKit
@testable import SampleApps

/// The intents that the fuzzed stages handle: intentd's own, one with a parameter of every type, and one that always
/// succeeds.
enum FuzzedIntents {
    /// All extensions.
    static var extensions: [IntentExtension] {
        [
            MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make(), WorkoutsExtension.make(),
            RidesExtension.make(),
            IntentExtension("Fuzz") { DefinitionFile(Self.definitions).definitions.map { $0.makeRegistration() } },
        ]
    }

    /// The shapes of the intents, for generating events: names and types of parameters, lists in brackets.
    static func shapes(of extensions: [IntentExtension]) -> [Shape] {
        extensions.flatMap(\.registrations)
            .map { registration in
                let parameters = registration.parameters.map { parameter in
                    (name: parameter.name, type: parameter.isList ? "[\(parameter.typeName)]" : parameter.typeName)
                }
                return (name: registration.intentName, parameters: parameters)
            }
    }

    /// The shape of an intent.
    typealias Shape = (name: String, parameters: [(name: String, type: String)])

    private static let definitions: JSONValue = [
        ["name": "Fuzz.Note", "title": "Take a note", "confirmation": "never"],
        [
            "name": "Fuzz.Everything", "title": "Take everything", "confirmation": "never",
            "parameters": .array(Self.parameters),
        ],
        [
            "name": "Fuzz.Choice", "title": "Choose", "confirmation": "always",
            "parameters": [
                [
                    "name": "place", "type": "string", "required": true,
                    "values": ["Seaside Grill", "Seaside Inn", "Old Mill"],
                ],
                ["name": "people", "type": "integer", "minimum": 1, "maximum": 12, "default": 2],
                ["name": "code", "type": "string", "pattern": "[A-Z]{2}[0-9]+", "sensitive": true],
            ],
        ],
    ]

    private static let parameters: [JSONValue] = [
        "string", "integer", "number", "boolean", "date", "time", "dateTime", "duration", "currencyAmount", "person",
        "place",
    ]
    .flatMap { type in
        [
            ["name": .string(type), "type": .string(type)],
            ["name": .string(type + "s"), "type": .string(type), "list": true],
        ] as [JSONValue]
    }
}
#endif
