package import IntentKit
import Synchronization

/// Counts effects, and makes each happen only once.
package final class InMemoryLedger: EffectLedger {
    private struct State {
        var results: [EffectKey: JSONValue] = [:]
        var closed: Set<String> = []
        var rounds: [String: Int] = [:]
        var made: [EffectKey: Int] = [:]
        var busyCloses = 0
        var brokenCloses = 0
        var order: [EffectKey] = []
        var undone: [Undone: JSONValue] = [:]
        var offers: [String: Int64] = [:]

        /// Fails as often as a test has set.
        mutating func failClosing() throws {
            guard self.busyCloses == 0 else {
                self.busyCloses -= 1
                throw Busy()
            }
            guard self.brokenCloses == 0 else {
                self.brokenCloses -= 1
                throw Broken()
            }
        }

        /// The names of the effects that are shared under that request.
        func names(of origin: String) -> [String] { self.effects(of: origin).map(\.name) }

        func effects(of origin: String) -> [MadeEffect] {
            self.order.filter { $0.origin == origin }.map { MadeEffect(name: $0.name, ordinal: $0.ordinal) }
        }
    }

    /// An effect, and the interaction and the round that have undone it.
    private struct Undone: Hashable {
        var key: EffectKey
        var undoneBy: String
        var round: Int
    }

    private struct Busy: TransientError {}
    private struct Broken: Error {}

    private struct NoTables: StoreTransaction {
        func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int { 0 }
        func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject] { [] }
    }

    private let state = Mutex(State())
    package let identifier = "in-memory"

    private let readLast: (@Sendable (_ partition: Int) async throws -> Int64?)?

    /// Creates an empty ledger.
    ///
    /// - Parameter readLast: Decides what ``lastRequest(inPartition:)`` returns; nil for what the ledger has.
    package init(readLast: (@Sendable (_ partition: Int) async throws -> Int64?)? = nil) { self.readLast = readLast }

    /// The requests whose interactions have ended.
    package var closed: Set<String> { self.state.withLock(\.closed) }

    /// The number of times that each effect was performed.
    package var made: [EffectKey: Int] { self.state.withLock(\.made) }

    /// The number of times that closing still fails with a transient error.
    package var busyCloses: Int {
        get { self.state.withLock(\.busyCloses) }
        set { self.state.withLock { $0.busyCloses = newValue } }
    }

    /// The number of times that closing still fails with a permanent error.
    package var brokenCloses: Int {
        get { self.state.withLock(\.brokenCloses) }
        set { self.state.withLock { $0.brokenCloses = newValue } }
    }

    package func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try self.state.withLock { state in
            if let result = state.results[key] { return result }
            guard !state.closed.contains(key.request), state.rounds[key.request, default: 0] <= key.round else {
                throw LedgerClosedError(key)
            }
            let result = try body(NoTables())
            state.results[key] = result
            state.order.append(key)
            state.made[key, default: 0] += 1
            return result
        }
    }

    package func close(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool
    ) async throws -> Bool {
        try self.state.withLock { state in
            try state.failClosing()
            if unlessEffects && state.results.keys.contains(where: { $0.origin == origin }) {
                return false
            }
            state.closed.insert(request)
            return true
        }
    }

    package func end(request: String, origin: String, identity: RequestIdentity?) async throws -> [String] {
        try self.state.withLock { state in
            try state.failClosing()
            state.closed.insert(request)
            return state.names(of: origin)
        }
    }

    package func end(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        offering offer: UndoOffer
    ) async throws -> [String] {
        let names = try await self.end(request: request, origin: origin, identity: identity)
        self.state.withLock { $0.offers[request] = offer.offered($0.effects(of: origin))?.until }
        return names
    }

    /// Until when interactions may be undone, by their requests, in milliseconds since 1970.
    package var offers: [String: Int64] { self.state.withLock(\.offers) }

    package func fence(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        round: Int,
        among names: Set<String>?
    ) async throws -> [MadeEffect] {
        try self.state.withLock { state in
            guard !state.closed.contains(request) else {
                throw LedgerClosedError(EffectKey(request: request, origin: origin, name: "", ordinal: 0, round: round))
            }
            let effects = state.effects(of: origin)
            if effects.allSatisfy({ names?.contains($0.name) ?? true }) {
                state.rounds[request] = max(state.rounds[request, default: 0], round)
            }
            return effects
        }
    }

    package func undo(
        _ keys: [EffectKey],
        _ body: @escaping @Sendable (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) async throws -> [JSONValue] {
        try self.state.withLock { state in
            // A body that throws changes nothing.
            var changed = state
            let results = try keys.map { key in
                let undone = Undone(key: key, undoneBy: key.request, round: key.round)
                if let result = changed.undone[undone] { return result }
                guard !changed.closed.contains(key.request), changed.rounds[key.request, default: 0] <= key.round else {
                    throw LedgerClosedError(key)
                }
                guard let made = changed.results[key] else { throw NoEffectError(key) }
                let result = try body(key, made, NoTables())
                changed.undone[undone] = result
                changed.results[key] = nil
                changed.order.removeAll { $0 == key }
                return result
            }
            state = changed
            return results
        }
    }

    package func effects(origin: String) async throws -> [String] {
        self.state.withLock { $0.names(of: origin) }
    }

    package func lastRequest(inPartition partition: Int) async throws -> Int64? {
        if let readLast = self.readLast { return try await readLast(partition) }
        return self.state.withLock { state in
            state.closed.union(state.order.map(\.origin))
                .compactMap { request in
                    let parts = request.split(separator: ":")
                    return parts.first.map(String.init) == String(partition) ? parts.last.flatMap { Int64($0) } : nil
                }
                .max()
        }
    }

    package func read(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue
    {
        try body(NoTables())
    }
}
