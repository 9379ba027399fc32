import Foundation
import IntentKit
import Synchronization

/// The host of the turns that a check plays: reads are performed, nothing is journaled, and their durations are
/// recorded.
final class CheckTurnHost: TurnHost {
    private struct Times {
        /// The duration of the slowest read.
        var slowest = Duration.zero
        /// The number of reads that used up their time and produced nothing.
        var late = 0
    }

    private let times = Mutex(Times())
    private let timeout: Duration

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// The duration of the slowest read.
    var slowest: Duration { self.times.withLock(\.slowest) }

    /// Whether so many reads were late that further ones are not worth the wait.
    var isHopeless: Bool { self.times.withLock { $0.late >= 3 } }

    func context(interaction: String, declined: [String: [JSONValue]] = [:]) -> TurnContext {
        TurnContext(
            interactionID: interaction,
            groupIdentifier: nil,
            user: RequestingUser(id: "service-check"),
            device: RequestingDevice(),
            locale: "en-US",
            now: .now,
            attempt: 1,
            script: nil,
            declinedValues: declined,
            host: self
        )
    }

    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        let began = ContinuousClock.now
        defer {
            let took = ContinuousClock.now - began
            self.times.withLock { times in
                times.slowest = max(times.slowest, took)
                if took >= self.timeout { times.late += 1 }
            }
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
