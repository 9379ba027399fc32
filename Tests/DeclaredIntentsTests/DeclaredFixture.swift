import DeclaredIntents
import IntentKit
import IntentLab
import Testing

/// One declared intent, called as a stage calls it.
struct DeclaredFixture {
    let registration: IntentRegistration

    /// Declares an intent of these parameters.
    init(parameters: JSONValue) throws {
        try self.init(["name": "Test", "parameters": parameters])
    }

    init(_ definition: JSONValue) throws {
        let file = DefinitionFile(definition)
        try #require(file.problems.isEmpty, "\(file.problems)")
        self.registration = try #require(file.definitions.first).makeRegistration()
    }

    /// Resolves the parameter of that name; `p` is the one of intents with one parameter.
    func resolve(_ value: JSONValue?, _ name: String = "p") async throws -> ParameterOutcome? {
        let intent = IntentSnapshot(name: "Test", parameters: value.map { [name: $0] } ?? [:])
        return try await self.registration.resolve(name, intent, BareTurnHost().context())
    }
}

extension ResolutionOutcome {
    /// A refusal of the value, for a reason of declared parameters.
    static func refused(_ reason: DeclaredUnsupportedReason) -> Self { .unsupported(ReasonDescription(reason)) }
}
