package import IntentKit
import Synchronization

/// A store that is only tried: it holds nothing, and takes a write when the test lets it.
package final class TriedStore: LedgerStore {
    private let body: @Sendable (_ number: Int) async throws -> Void
    private let tries = Mutex(0)

    /// The number of writes that were tried.
    package var writes: Int { self.tries.withLock(\.self) }
    package var identifier: String { "tried" }
    package var place: String { "tried" }

    /// Creates a store whose writes, numbered from 1, end as that body does.
    package init(_ body: @escaping @Sendable (_ number: Int) async throws -> Void) { self.body = body }

    package func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }
    package func close(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool
    ) async throws -> Bool { true }
    package func effects(origin: String) async throws -> [String] { [] }
    package func lastRequest(inPartition partition: Int) async throws -> Int64? { nil }
    package func read(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue { .null }
    package func write(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        let number = self.tries.withLock { tries in
            tries += 1
            return tries
        }
        try await self.body(number)
        return .null
    }
}
