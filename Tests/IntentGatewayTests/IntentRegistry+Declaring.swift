import DeclaredIntents
import IntentKit
import Testing

extension IntentRegistry {
    /// The registry of intents that are declared without Swift.
    init(declaring definitions: [JSONValue]) throws {
        let file = DefinitionFile(.array(definitions))
        #expect(file.problems == [])
        let registrations = file.definitions.map { $0.makeRegistration() }
        try self.init([IntentExtension("declared") { registrations }])
    }
}
