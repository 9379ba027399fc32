/// Keeps effects to once each, in the same transaction as the effects themselves (SPEC R30).
///
/// intentd ships one over SQLite, for one machine; for several machines, write one over a server database (SPEC R31).
/// Calls may overlap. None of them blocks the caller's thread.
public protocol EffectLedger: Sendable {
    /// The database's own id, made with it: workers of a deployment refuse another one.
    var identifier: String { get }

    /// Makes an effect once: runs the body and records its result in one transaction, or returns what was recorded.
    ///
    /// - Throws: ``LedgerClosedError`` when the interaction has ended; what the body throws (nothing is written then);
    ///   a ``TransientError`` when the database is busy.
    func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue

    /// Ends an interaction's ledger: later effects throw. Ending it again changes nothing.
    ///
    /// - Parameters:
    ///   - request: The position of the interaction's request.
    ///   - unlessEffects: Changes nothing when an effect has happened already.
    /// - Returns: Whether the ledger is closed now; with `unlessEffects`, whether it is closed without any effect.
    /// - Throws: A ``TransientError`` when the database is busy, another error when it is broken.
    func close(request: String, unlessEffects: Bool) async throws -> Bool

    /// Reads the stores.
    func read(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue
}

/// Names one effect: the request's position, the effect's name, and which of that name it is.
public struct EffectKey: Hashable, Sendable {
    /// The position of the interaction's request, `partition:offset` (SPEC R8).
    public var request: String
    /// The name that the handler gave it.
    public var name: String
    /// 0 for the first of that name in the interaction, 1 for the next.
    public var ordinal: Int

    /// Names an effect.
    public init(request: String, name: String, ordinal: Int) {
        self.request = request
        self.name = name
        self.ordinal = ordinal
    }
}

/// An effect came after its interaction had ended (SPEC R30): nothing was done.
public struct LedgerClosedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The effect that was refused.
    public var key: EffectKey

    /// Describes a refused effect.
    public init(_ key: EffectKey) { self.key = key }

    /// What happened, and to which effect.
    public var description: String {
        "The interaction of request \(self.key.request) has ended: its effect \(self.key.name) was not made."
    }
}
