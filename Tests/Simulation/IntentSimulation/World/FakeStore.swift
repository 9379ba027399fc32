internal import IntentEvents
internal import IntentKit

/// The deployment's database with its ledger, as in R30: an effect and its result in one transaction.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class FakeStore: EffectLedger, @unchecked Sendable {
    /// A row that an effect has written.
    struct Row: Hashable {
        /// The interaction of the effect.
        var interaction: String
        /// The effect's ordinal in the interaction.
        var ordinal: Int64
        /// The interaction's round in which it was made.
        var round: Int
        /// Whether the interaction already had its terminal response.
        var isLate: Bool
    }

    private struct Busy: TransientError {}

    let identifier = "fake"
    /// The rows that effects have written and no undo has removed, in order.
    private(set) var rows: [Row] = []
    /// The rows that undos have removed, in the order in which they did.
    private(set) var undoneRows: [Row] = []
    /// The requests whose interactions have their terminal response.
    var ended: Set<RequestID> = []

    private let scheduler: Scheduler
    private let faults: Faults
    private let trace: Trace
    /// What happens to its transactions; nil for a file on the machine.
    private let server: SimulatedServer?
    private var results: [EffectKey: JSONValue] = [:]
    private var order: [EffectKey] = []
    private var closed: Set<String> = []
    /// The interactions whose ledgers were closed more than once: what closed them first was lost.
    private(set) var closedAgain: Set<String> = []
    /// The results of undos, by the effect, and by the interaction and the round that undid it.
    private var undone: [EffectKey: [String: JSONValue]] = [:]
    /// The current rounds of interactions that went back to the user.
    private var rounds: [String: Int] = [:]
    /// The identities of the requests that first got each position.
    private var identities: [String: String] = [:]

    /// Creates an empty database.
    init(scheduler: Scheduler, faults: Faults, trace: Trace, isOnServer: Bool) {
        self.scheduler = scheduler
        self.faults = faults
        self.trace = trace
        self.server = isOnServer ? SimulatedServer(scheduler: scheduler, faults: faults, trace: trace) : nil
    }

    func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try Task.checkCancellation()
        return try await self.committed([key.request, key.origin]) { try self.transaction(key, body) }
    }

    /// Runs a body as one transaction of the store.
    private func committed<Value>(_ rows: Set<String>, _ body: () throws -> Value) async throws -> Value {
        if let server { return try await server.transaction(on: rows, body) }
        await self.faults.hop(.effect)
        if self.faults.fails("the store is busy", 0.5) { throw Busy() }
        let value = try body()
        await self.faults.hop(.effectMade)
        return value
    }

    private func transaction(
        _ key: EffectKey,
        _ body: (any StoreTransaction) throws -> JSONValue
    ) throws -> JSONValue {
        if let result = self.results[key] {
            try ForeignRequestError.check(key.origin, key.originIdentity, recorded: self.identities[key.origin])
            self.trace.record("effect \(key.request)/\(key.name)/\(key.ordinal) was made before")
            return result
        }
        guard !self.closed.contains(key.request) else {
            try ForeignRequestError.check(key.request, key.identity, recorded: self.identities[key.request])
            throw LedgerClosedError(key)
        }
        guard self.rounds[key.request, default: 0] <= key.round else { throw LedgerClosedError(key) }
        let transaction = Transaction()
        let result = try body(transaction)
        self.results[key] = result
        self.identities[key.origin] = self.identities[key.origin] ?? key.originIdentity?.text
        self.order.append(key)
        for (interaction, ordinal) in transaction.charges {
            let row = Row(
                interaction: interaction,
                ordinal: ordinal,
                round: key.round,
                isLate: self.ended.contains(RequestID(key.request))
            )
            self.rows.append(row)
        }
        self.trace.record("effect \(key.request)/\(key.name)/\(key.ordinal)")
        return result
    }

    func close(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        unlessEffects: Bool
    ) async throws -> Bool {
        try await self.committed([request, origin]) {
            try self.closed(request, origin, identity, unlessEffects: unlessEffects)
        }
    }

    private func closed(
        _ request: String,
        _ origin: String,
        _ identity: RequestIdentity?,
        unlessEffects: Bool
    ) throws -> Bool {
        let isClosed: Bool
        if unlessEffects, self.results.keys.contains(where: { $0.origin == origin }) {
            isClosed = false
        } else {
            try ForeignRequestError.check(request, identity, recorded: self.identities[request])
            self.identities[request] = self.identities[request] ?? identity?.text
            if !self.closed.insert(request).inserted { self.closedAgain.insert(request) }
            isClosed = true
        }
        self.trace.record("ledger of \(request) is \(isClosed ? "closed" : "left open")")
        return isClosed
    }

    func end(request: String, origin: String, identity: RequestIdentity?) async throws -> [String] {
        try await self.committed([request, origin]) {
            _ = try self.closed(request, origin, identity, unlessEffects: false)
            return self.effects(of: origin).map(\.name)
        }
    }

    func end(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        offering offer: UndoOffer
    ) async throws -> [String] {
        try await self.end(request: request, origin: origin, identity: identity)
    }

    private func effects(of origin: String) -> [MadeEffect] {
        self.order.filter { $0.origin == origin }.map { MadeEffect(name: $0.name, ordinal: $0.ordinal) }
    }

    func fence(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        round: Int,
        among names: Set<String>?
    ) async throws -> [MadeEffect] {
        try await self.committed([request, origin]) {
            try ForeignRequestError.check(request, identity, recorded: self.identities[request])
            guard !self.closed.contains(request) else {
                throw LedgerClosedError(EffectKey(request: request, origin: origin, name: "", ordinal: 0, round: round))
            }
            let effects = self.effects(of: origin)
            guard effects.allSatisfy({ names?.contains($0.name) ?? true }) else { return effects }
            self.identities[request] = self.identities[request] ?? identity?.text
            self.rounds[request] = max(self.rounds[request, default: 0], round)
            self.trace.record("round \(round) of \(request)")
            return effects
        }
    }

    func undo(
        _ keys: [EffectKey],
        _ body: @escaping @Sendable (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) async throws -> [JSONValue] {
        try Task.checkCancellation()
        return try await self.committed(Set(keys.flatMap { [$0.request, $0.origin] })) {
            var (undone, done) = (self.undone, [EffectKey]())
            var refunds: [(interaction: String, ordinal: Int64)] = []
            let results = try keys.map { key in
                let place = "\(key.request) \(key.round)"
                if let result = undone[key]?[place] { return result }
                guard !self.closed.contains(key.request), self.rounds[key.request, default: 0] <= key.round else {
                    try ForeignRequestError.check(key.request, key.identity, recorded: self.identities[key.request])
                    throw LedgerClosedError(key)
                }
                guard let made = self.results[key] else { throw NoEffectError(key) }
                try ForeignRequestError.check(key.origin, key.originIdentity, recorded: self.identities[key.origin])
                let transaction = Transaction()
                let result = try body(key, made, transaction)
                undone[key, default: [:]][place] = result
                done.append(key)
                refunds += transaction.charges
                return result
            }
            // A body that throws has changed nothing.
            self.undone = undone
            for refund in refunds {
                let index = self.rows.firstIndex {
                    $0.interaction == refund.interaction && $0.ordinal == refund.ordinal
                }
                if let index { self.undoneRows.append(self.rows.remove(at: index)) }
            }
            for key in done {
                self.results[key] = nil
                self.order.removeAll { $0 == key }
                self.trace.record("effect \(key.origin)/\(key.name)/\(key.ordinal) is undone")
            }
            return results
        }
    }

    func effects(origin: String) async throws -> [String] {
        await self.faults.hop(.effect)
        if self.faults.fails("the store is busy", 0.5) { throw Busy() }
        return self.effects(of: origin).map(\.name)
    }

    func lastRequest(inPartition partition: Int) async throws -> Int64? {
        await self.faults.hop(.effect)
        return self.closed.union(self.order.map(\.origin))
            .compactMap { request in
                let parts = request.split(separator: ":")
                return parts.first.map(String.init) == String(partition) ? parts.last.flatMap { Int64($0) } : nil
            }
            .max()
    }

    func read(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue {
        await self.faults.hop(.effect)
        return try body(Transaction())
    }

    private final class Transaction: StoreTransaction {
        var charges: [(interaction: String, ordinal: Int64)] = []

        func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int {
            self.charges.append((arguments[0].string ?? "", arguments[1].integer ?? -1))
            return 1
        }

        func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject] { [] }
    }
}

/// An external service that acts only once on requests with the same idempotency key (R30).
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class FakeService: @unchecked Sendable {
    /// The number of requests with each key.
    private(set) var calls: [String: Int] = [:]

    /// The number of looks at each name.
    private var looks: [String: Int] = [:]

    /// Counts a look at a name.
    func look(key: String) -> Int {
        self.looks[key, default: 0] += 1
        return self.looks[key, default: 0]
    }

    /// Carries out a request, once per key.
    func post(key: String) { self.calls[key, default: 0] += 1 }
}
