import Foundation
import IntentKit
import Synchronization

/// Stands behind the turns that a check plays: reads happen, nothing is journaled, and it is noted how long they take.
final class CheckTurnHost: TurnHost {
    private let longest = Mutex(Duration.zero)

    /// How long the slowest read took.
    var slowest: Duration { self.longest.withLock { $0 } }

    /// The context of a turn.
    func context(interaction: String) -> TurnContext {
        TurnContext(
            interactionID: interaction,
            groupIdentifier: nil,
            user: RequestingUser(id: "service-check"),
            device: RequestingDevice(),
            locale: "en-US",
            now: .now,
            attempt: 1,
            script: nil,
            host: self
        )
    }

    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        let began = ContinuousClock.now
        defer {
            let took = ContinuousClock.now - began
            self.longest.withLock { $0 = max($0, took) }
        }
        return try await body()
    }

    func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }

    func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }

    func makeIdentifier() -> String { "service-check" }
    func nextRandom() -> UInt64 { 0 }
    func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] { [] }
    func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] { [] }
}
