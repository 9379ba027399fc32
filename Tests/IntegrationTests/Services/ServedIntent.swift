import DeclaredIntents
import IntentKit
import IntentLab
import Testing

/// An intent whose service is a test's own server.
struct ServedIntent {
    let registration: IntentRegistration

    /// A text that may be missing, a list, and a number within bounds.
    static let parameters: JSONValue = [
        ["name": "flavour", "type": "string", "reasons": ["soldOut": 10, "unheardOf": 11]],
        ["name": "toppings", "type": "string", "list": true, "reasons": ["soldOut": 10]],
        ["name": "cups", "type": "integer", "minimum": 1, "maximum": 9],
    ]

    init(
        _ url: String,
        _ service: JSONObject = [:],
        parameters: JSONValue = Self.parameters,
        confirmation: String = "byHandler"
    ) throws {
        var service = service
        service["url"] = .string(url)
        let file = DefinitionFile([
            "name": "OrderLemonade", "confirmation": .string(confirmation), "parameters": parameters,
            "handler": ["service": .object(service)],
        ])
        try #require(file.problems.isEmpty, "\(file.problems)")
        self.registration = try #require(file.definitions.first).makeRegistration()
    }

    /// Resolves the open parameters of an intent with these values.
    func resolve(
        _ values: JSONObject,
        open: [String] = ["flavour", "toppings", "cups"],
        _ context: TurnContext = BareTurnHost.context()
    ) async throws -> [String: ParameterOutcome] {
        let resolveAll = try #require(self.registration.resolveAll)
        return try await resolveAll(open, IntentSnapshot(name: "OrderLemonade", parameters: values), context)
    }

    /// The error of resolving, and whether it is transient.
    func failure(_ values: JSONObject = [:]) async -> (text: String, mayPass: Bool)? {
        await Self.failure { _ = try await self.resolve(values) }
    }

    /// The error of a closure, and whether it is transient.
    static func failure(_ body: () async throws -> Void) async -> (text: String, mayPass: Bool)? {
        do {
            try await body()
            return nil
        } catch {
            return ("\(error)", error is any TransientError)
        }
    }
}
