import Foundation
import IntentKit
import Testing

/// An extension over a database in memory, called as the stages call it: by the intents' wire forms.
struct DomainFixture {
    let store: TestStore
    let registry: IntentRegistry
    var user = RequestingUser(id: "u1")
    var device = RequestingDevice()
    var now = TurnContext.testTime
    var vocabularies: [VocabularyStringType: [VocabularyEntry]] = [:]
    var globalVocabularies = GlobalVocabularies()

    init(_ intentExtension: IntentExtension) throws {
        self.registry = try IntentRegistry([intentExtension])
        self.store = try TestStore(intentExtension.migrations)
    }

    /// A turn of an interaction of this user.
    func context(_ interaction: String) -> TurnContext {
        let host = TestTurnHost(
            store: self.store,
            vocabularies: self.vocabularies,
            globalVocabularies: self.globalVocabularies,
            prefix: "\(interaction)/"
        )
        return .testing(host, interactionID: interaction, user: self.user, device: self.device, now: self.now)
    }

    func registration(_ intent: String) throws -> IntentRegistration {
        try #require(self.registry[intent], "nobody handles \(intent)").registration
    }

    func resolve(
        _ intent: String,
        _ parameter: String,
        _ parameters: JSONObject
    ) async throws -> ResolutionOutcome? {
        let snapshot = IntentSnapshot(name: intent, parameters: parameters)
        let outcome = try await self.registration(intent).resolve(parameter, snapshot, self.context("resolve"))
        guard case .single(let single)? = outcome else { return nil }
        return single
    }

    func confirm(_ intent: String, _ parameters: JSONObject = [:]) async throws -> HandlerResponse {
        let snapshot = IntentSnapshot(name: intent, parameters: parameters)
        return try await self.registration(intent).confirm(snapshot, self.context("confirm"))
    }

    func handle(
        _ intent: String,
        _ parameters: JSONObject = [:],
        interaction: String = "i1"
    ) async throws -> HandlerResponse {
        let snapshot = IntentSnapshot(name: intent, parameters: parameters)
        return try await self.registration(intent).handle(snapshot, self.context(interaction))
    }

    /// The app reports on what it was asked to do.
    func appResponds(
        _ code: String,
        _ details: JSONObject = [:],
        to intent: String,
        _ parameters: JSONObject = [:],
        interaction: String = "i1"
    ) async throws {
        let snapshot = IntentSnapshot(name: intent, parameters: parameters)
        let response = HandlerResponse(code: code, details: details)
        let context = self.context(interaction)
        try await self.registration(intent).appResponded?(response, snapshot, context)
    }
}
