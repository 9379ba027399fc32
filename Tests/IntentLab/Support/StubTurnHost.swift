internal import Foundation
package import IntentKit

/// A turn host of which a test implements only what the test is about: reads are performed, nothing is journaled, and
/// there are no stores, effects or vocabularies.
package protocol StubTurnHost: TurnHost {}

extension StubTurnHost {
    /// A turn of this host.
    package func context(
        originalInteractionID: String? = nil,
        user: RequestingUser = RequestingUser(id: "anna"),
        locale: String = "en-US",
        attempt: Int = 1,
        script: String? = nil,
        declined: [String: [JSONValue]] = [:],
        followsFrom: FollowedFrom? = nil
    ) -> TurnContext {
        TurnContext(
            interactionID: "i1",
            originalInteractionID: originalInteractionID,
            groupIdentifier: nil,
            user: user,
            device: RequestingDevice(),
            locale: locale,
            now: .init(timeIntervalSince1970: 0),
            attempt: attempt,
            script: script,
            declinedValues: declined,
            followsFrom: followsFrom,
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
    package func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] { [] }
}
