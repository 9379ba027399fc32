import IntentKit
import Synchronization

/// Keeps effects to once each.
final class InMemoryLedger: EffectLedger {
    private struct State {
        var results: [EffectKey: JSONValue] = [:]
        var closed: Set<String> = []
        var order: [EffectKey] = []
    }

    private struct NoTables: StoreTransaction {
        func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int { 0 }
        func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject] { [] }
    }

    private let state = Mutex(State())
    let identifier = "in-memory"

    func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try self.state.withLock { state in
            if let result = state.results[key] { return result }
            guard !state.closed.contains(key.request) else { throw LedgerClosedError(key) }
            let result = try body(NoTables())
            state.results[key] = result
            state.order.append(key)
            return result
        }
    }

    func close(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool
    ) async throws -> Bool {
        self.state.withLock { state in
            if unlessEffects && state.results.keys.contains(where: { $0.origin == origin }) { return false }
            state.closed.insert(request)
            return true
        }
    }

    func effects(origin: String) async throws -> [String] {
        self.state.withLock { $0.order.filter { $0.origin == origin }.map(\.name) }
    }

    func lastRequest(inPartition partition: Int) async throws -> Int64? {
        self.state.withLock { state in
            state.closed.union(state.order.map(\.origin))
                .compactMap { request in
                    let parts = request.split(separator: ":")
                    return parts.first.map(String.init) == String(partition) ? parts.last.flatMap { Int64($0) } : nil
                }
                .max()
        }
    }

    func read(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue {
        try body(NoTables())
    }
}
