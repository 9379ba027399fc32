import DeclaredIntents
package import IntentKit

/// The measured intent: declared, with three parameters, never confirmed, and its record is its effect.
package enum BenchmarkIntent {
    /// Its name on the wire.
    package static let name = "BookTable"

    /// Its definition in the form of a file.
    static func definition(handler: String) -> JSONValue {
        [
            "name": .string(Self.name), "title": "Book a table", "confirmation": "never",
            "handler": .string(handler),
            "parameters": [
                ["name": "city", "type": "string", "required": true],
                ["name": "people", "type": "integer", "minimum": 1, "maximum": 12, "required": true],
                ["name": "note", "type": "string", "required": true],
            ],
        ]
    }

    /// A registry with the intent alone; with `slowUsers`, a Swift handler carries it out that takes 10 s for one user
    /// in a hundred.
    package static func registry(slowUsers: Bool = false) throws -> IntentRegistry {
        let file = DefinitionFile(self.definition(handler: slowUsers ? "swift" : "record"))
        guard let definition = file.definitions.first else { throw BenchmarkError("\(file.problems)") }
        let handler = slowUsers ? IntentRegistration(usesLedger: false) { SlowForSomeHandler() } : nil
        return try IntentRegistry([
            IntentExtension("Benchmark") { definition.makeRegistration(handledBy: handler) }
        ])
    }
}
