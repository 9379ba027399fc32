internal import Foundation
package import IntentKit

/// A host that performs reads and looks up words.
package struct BareTurnHost: StubTurnHost {
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

    package func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] { self.matches(query) }
}
