import Foundation
import IntentKit
import Testing

/// One intent of a domain over a database in memory with the domain's demo data, called as a stage calls it.
struct IntentFixture {
    let store: TestStore
    let entry: IntentRegistry.Entry
    var user = RequestingUser(id: "u1")
    var vocabularies: [VocabularyStringType: [VocabularyEntry]] = [:]
    var now = TurnContext.testTime

    /// Sets a domain up, with demo data for the user `u1`.
    init(_ domain: IntentExtension, _ intentName: String) throws {
        let store = try TestStore(domain.migrations)
        try store.write { try domain.addDemoData?("u1", $0) }
        try self.init(domain, intentName, store: store)
    }

    /// Another intent over the same store.
    init(_ domain: IntentExtension, _ intentName: String, store: TestStore) throws {
        let registry = try IntentRegistry([domain])
        self.entry = try #require(registry[intentName])
        self.store = store
    }

    var registration: IntentRegistration { self.entry.registration }

    /// Changes the stores as the app would.
    func change(_ body: (any StoreTransaction) throws -> Void) throws { try self.store.write(body) }

    func resolve(_ parameter: String, _ parameters: JSONObject) async throws -> [ResolutionOutcome] {
        switch try await self.registration.resolve(parameter, self.intent(parameters), self.context()) {
        case .single(let outcome): [outcome]
        case .perValue(let outcomes): outcomes
        case nil: []
        }
    }

    func confirm(_ parameters: JSONObject) async throws -> HandlerResponse {
        try await self.registration.confirm(self.intent(parameters), self.context())
    }

    /// Handles the intent; in another interaction its effects are others.
    func handle(_ parameters: JSONObject, as interaction: String = "") async throws -> HandlerResponse {
        try await self.registration.handle(self.intent(parameters), self.context(interaction))
    }

    /// A turn of this user.
    func context(_ interaction: String = "") -> TurnContext {
        let host = TestTurnHost(store: self.store, vocabularies: self.vocabularies, prefix: interaction)
        return .testing(host, user: self.user, now: self.now)
    }

    private func intent(_ parameters: JSONObject) -> IntentSnapshot {
        IntentSnapshot(name: self.registration.intentName, parameters: parameters)
    }
}

extension ResolutionOutcome {
    /// The value of a success.
    var value: JSONValue? {
        guard case .success(let value) = self else { return nil }
        return value
    }

    /// The options of a disambiguation.
    var options: [JSONValue]? {
        guard case .disambiguation(let options) = self else { return nil }
        return options.map(\.value)
    }

    /// A refusal for that reason.
    static func refused(_ reason: some UnsupportedReason) -> ResolutionOutcome {
        .unsupported(ReasonDescription(reason))
    }
}
