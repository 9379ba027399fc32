internal import Foundation
package import IntentKit

/// Performs reads and journals nothing.
package struct BareTurnHost: TurnHost {
    /// A turn of its own for a handler.
    package static func context(
        interaction: String = "i1",
        keys: IdempotencyKeys? = nil,
        attempt: Int = 1,
        script: String? = nil
    ) -> TurnContext {
        TurnContext(
            interactionID: interaction,
            groupIdentifier: "g1",
            user: RequestingUser(id: "anna"),
            device: RequestingDevice(),
            locale: "de-AT",
            now: .init(timeIntervalSince1970: 0),
            attempt: attempt,
            script: script,
            keys: keys,
            host: BareTurnHost()
        )
    }

    /// Looks up the meanings of words.
    package var matches: @Sendable (VocabularyQuery) -> [VocabularyMatch]

    /// Creates a host.
    package init(matches: @escaping @Sendable (VocabularyQuery) -> [VocabularyMatch] = { _ in [] }) {
        self.matches = matches
    }

    /// A turn of this host.
    package func context(
        user: RequestingUser = RequestingUser(id: "anna"),
        locale: String = "en-US",
        script: String? = nil
    ) -> TurnContext {
        TurnContext(
            interactionID: "i1",
            groupIdentifier: nil,
            user: user,
            device: RequestingDevice(),
            locale: locale,
            now: .init(timeIntervalSince1970: 0),
            attempt: 1,
            script: script,
            host: self
        )
    }

    package func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try await body()
    }

    package func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }

    package func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }

    package func makeIdentifier() -> String { "" }
    package func nextRandom() -> UInt64 { 0 }
    package func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] { [] }
    package func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] { self.matches(query) }
}
