import IntentKit
import SampleApps
import SiriKitIntents
import Testing

/// UnicornChat over a database in memory, called as a stage calls it: by the intent's wire form.
struct MessagesFixture {
    let store: TestStore
    let registration: IntentRegistration
    var user = RequestingUser(id: "u1")
    var vocabularies: [VocabularyStringType: [VocabularyEntry]] = [:]

    init(maximumContentLength: Int = 2_000) throws {
        let chat = MessagesExtension.make(maximumContentLength: maximumContentLength)
        let registry = try IntentRegistry([chat])
        self.registration = try #require(registry["INSendMessageIntent"]).registration
        self.store = try TestStore(chat.migrations)
        try self.store.write { try AddressBook.addDemoData(for: "u1", in: $0) }
    }

    /// A turn of this user.
    func context() -> TurnContext {
        .testing(TestTurnHost(store: self.store, vocabularies: self.vocabularies), user: self.user)
    }

    func resolve(_ parameter: String, _ parameters: JSONObject) async throws -> [ResolutionOutcome] {
        switch try await self.registration.resolve(parameter, Self.intent(parameters), self.context()) {
        case .single(let outcome): [outcome]
        case .perValue(let outcomes): outcomes
        case nil: []
        }
    }

    func confirm(_ parameters: JSONObject) async throws -> HandlerResponse {
        try await self.registration.confirm(Self.intent(parameters), self.context())
    }

    func handle(_ parameters: JSONObject) async throws -> HandlerResponse {
        try await self.registration.handle(Self.intent(parameters), self.context())
    }

    private static func intent(_ parameters: JSONObject) -> IntentSnapshot {
        IntentSnapshot(name: "INSendMessageIntent", parameters: parameters)
    }
}
