import Foundation
import IntentKit

/// Carries reads out and journals nothing.
struct BareTurnHost: TurnHost {
    /// A turn of its own for a handler.
    static func context(
        interaction: String = "i1",
        original: String? = nil,
        attempt: Int = 1,
        script: String? = nil
    ) -> TurnContext {
        TurnContext(
            interactionID: interaction,
            originalInteractionID: original,
            groupIdentifier: "g1",
            user: RequestingUser(id: "anna"),
            device: RequestingDevice(),
            locale: "de-AT",
            now: .init(timeIntervalSince1970: 0),
            attempt: attempt,
            script: script,
            host: BareTurnHost()
        )
    }

    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try await body()
    }

    func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }

    func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }

    func makeIdentifier() -> String { "" }
    func nextRandom() -> UInt64 { 0 }
    func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] { [] }
    func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] { [] }
}
