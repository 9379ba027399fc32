/// Makes each effect once, and records it in the same transaction as the effect itself (R30).
///
/// intentd has one over SQLite, for one machine; for several machines, implement one over a server database (R31).
/// Calls may overlap. None of them blocks the caller's thread.
public protocol EffectLedger: Sendable {
    /// The database's own id, created with it: workers of a deployment refuse another one.
    var identifier: String { get }

    /// Makes an effect once: runs the body and records its result in one transaction, or returns the recorded result.
    ///
    /// A result that was recorded under an equal key is returned to any asker, even after the asker has ended. A new
    /// effect is made only while the asking interaction, ``EffectKey/request``, has not ended, and in its current round
    /// (``fence(request:origin:identity:round:among:)``).
    /// - Throws: ``LedgerClosedError`` when interaction or round have ended; ``ForeignRequestError`` when the record under
    ///   the position belongs to another request; what the body throws (nothing is written then); a ``TransientError``
    ///   when the database is busy.
    func perform(
        _ key: EffectKey,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue

    /// Closes an interaction's ledger: later effects throw. Closing it again changes nothing.
    ///
    /// - Parameters:
    ///   - request: The position of the interaction's request.
    ///   - origin: The request whose effects it shares (R48): its own, unless it was redriven.
    ///   - identity: Distinguishes the interaction's request from another one at that position; nil when it is not
    ///     known.
    ///   - unlessEffects: Leaves the ledger as it is when one of the effects that it shares has happened already.
    /// - Returns: Whether the ledger was closed, now or before. False when effects prevented it, even if it is closed:
    ///   the caller wants to know that nothing was done.
    /// - Throws: ``ForeignRequestError`` when another request's ledger was closed under that position; a
    ///   ``TransientError`` when the database is busy, another error when it is broken.
    func close(request: String, origin: String, identity: RequestIdentity?, unlessEffects: Bool) async throws -> Bool

    /// Ends an interaction: closes its ledger as ``close(request:origin:identity:unlessEffects:)`` does, and returns the
    /// names of the effects that it shares, for its terminal response.
    ///
    /// Both are one transaction where the ledger implements this. A ledger that does not is asked twice; the names are
    /// the same, since a closed ledger takes no further effect.
    /// - Parameters:
    ///   - request: The position of the interaction's request.
    ///   - origin: The request whose effects it shares (R48): its own, unless it was redriven.
    ///   - identity: Distinguishes the interaction's request from another one at that position; nil when it is not
    ///     known.
    /// - Returns: A name for each effect, as ``effects(origin:)`` does.
    /// - Throws: As ``close(request:origin:identity:unlessEffects:)`` does.
    func end(request: String, origin: String, identity: RequestIdentity?) async throws -> [String]

    /// Ends an interaction as ``end(request:origin:identity:)`` does, and keeps in the same transaction that its user may
    /// undo it (R75).
    ///
    /// - Parameters:
    ///   - request: The position of the interaction's request.
    ///   - origin: The request whose effects it shares (R48): its own, unless it was redriven.
    ///   - identity: Distinguishes the interaction's request from another one at that position; nil when it is not
    ///     known.
    ///   - offer: What may be undone, and until when; nothing is kept when it concerns none of the effects.
    /// - Returns: A name for each effect, as ``effects(origin:)`` does.
    /// - Throws: ``UnsupportedLedgerError`` when the ledger cannot undo; as
    ///   ``close(request:origin:identity:unlessEffects:)`` does.
    func end(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        offering offer: UndoOffer
    ) async throws -> [String]

    /// Begins a round of an interaction that goes back to the user: new effects of earlier rounds throw from now on, so
    /// that a worker that was suspended makes none. A round that is not later than the current one changes nothing.
    ///
    /// It is one transaction with the effects that it returns. A ledger that does not implement it has no rounds.
    /// - Parameters:
    ///   - request: The position of the interaction's request.
    ///   - origin: The request whose effects it shares (R48): its own, unless it was redriven.
    ///   - identity: Distinguishes the interaction's request from another one at that position; nil when it is not
    ///     known.
    ///   - round: The number of the round; an interaction begins with 0.
    ///   - names: Begins the round only if every effect has one of these names; nil to begin it in any case.
    /// - Returns: The effects that it shares and that were not undone, in the order in which they were made.
    /// - Throws: ``UnsupportedLedgerError`` when the ledger has no rounds; ``LedgerClosedError`` when the interaction has
    ///   ended; ``ForeignRequestError`` when what is recorded under the position belongs to another request; a
    ///   ``TransientError`` when the database is busy, another error when it is broken.
    func fence(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        round: Int,
        among names: Set<String>?
    ) async throws -> [MadeEffect]

    /// Undoes effects, each once: runs the body for each of them, in this order, and moves what was recorded of it, all
    /// in one transaction (R75). An effect that was undone can be made again.
    ///
    /// For an effect that the same interaction has undone in the same round, it returns the recorded result, and the
    /// body does not run. A ledger that does not implement it cannot undo.
    /// - Parameters:
    ///   - keys: The effects, each with the interaction that undoes it (``EffectKey/request``) and that one's round.
    ///   - body: Undoes an effect, given its key and its recorded result.
    /// - Returns: The results of the body, in the same order.
    /// - Throws: ``UnsupportedLedgerError`` when the ledger cannot undo; ``NoEffectError`` when an effect was not made, or
    ///   was undone by another interaction; ``LedgerClosedError`` when the interaction that undoes has ended, or is in a
    ///   later round; ``ForeignRequestError`` when what is recorded belongs to another request; what the body throws
    ///   (nothing is written then); a ``TransientError`` when the database is busy.
    func undo(
        _ keys: [EffectKey],
        _ body: @escaping @Sendable (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) async throws -> [JSONValue]

    /// The names of the effects that were made and recorded under that origin, in the order in which they were made.
    ///
    /// - Parameter origin: ``EffectKey/origin`` of those effects.
    /// - Returns: A name for each effect; an effect that was made several times is listed as often.
    /// - Throws: A ``TransientError`` when the database is busy, another error when it is broken.
    func effects(origin: String) async throws -> [String]

    /// The highest offset in a partition of `requests` of which the ledger holds anything: an effect, or an end.
    ///
    /// A worker asks for it when it is assigned the partition (R31). If the topic ends at that offset or before, the
    /// ledger was written for another topic, and other requests would take those positions.
    /// - Returns: The offset; nil when the ledger holds nothing of the partition.
    /// - Throws: A ``TransientError`` when the database is busy, another error when it is broken.
    func lastRequest(inPartition partition: Int) async throws -> Int64?

    func read(_ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue) async throws -> JSONValue
}

extension EffectLedger {
    /// Throws: a ledger from before rounds has none.
    public func fence(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        round: Int,
        among names: Set<String>?
    ) async throws -> [MadeEffect] {
        throw UnsupportedLedgerError()
    }

    /// Throws: a ledger from before effects could be undone.
    public func undo(
        _ keys: [EffectKey],
        _ body: @escaping @Sendable (EffectKey, JSONValue, any StoreTransaction) throws -> JSONValue
    ) async throws -> [JSONValue] {
        throw UnsupportedLedgerError()
    }

    /// Throws: a ledger from before effects could be undone.
    public func end(
        request: String,
        origin: String,
        identity: RequestIdentity?,
        offering offer: UndoOffer
    ) async throws -> [String] {
        throw UnsupportedLedgerError()
    }

    /// Ends an interaction with two calls: one closes its ledger, the other asks for the names.
    public func end(request: String, origin: String, identity: RequestIdentity?) async throws -> [String] {
        _ = try await self.close(request: request, origin: origin, identity: identity, unlessEffects: false)
        return try await self.effects(origin: origin)
    }

    /// Closes the ledger of an interaction that shares no other's effects.
    public func close(request: String, unlessEffects: Bool) async throws -> Bool {
        try await self.close(request: request, origin: request, identity: nil, unlessEffects: unlessEffects)
    }
}

/// Identifies one effect: its request, its name, and its ordinal among those of that name.
///
/// Two keys are equal when they identify the same effect, whichever interaction asks for it: a redriven interaction
/// shares the effects of the one that it follows (R48).
public struct EffectKey: Hashable, Sendable {
    /// The position of the asking interaction's request, `partition:offset` (R8).
    public var request: String
    /// The position of the request whose effects are shared: the first of those that were redriven from each other.
    public var origin: String
    /// The name that the handler gave it.
    public var name: String
    /// 0 for the first of that name in the interaction, 1 for the next.
    public var ordinal: Int
    /// Distinguishes the asking interaction's request from another one at its position; nil when it is not known.
    public var identity: RequestIdentity?
    /// The same for the request at ``origin``.
    public var originIdentity: RequestIdentity?
    /// The interaction's round in which it is asked for; it does not identify the effect.
    public var round: Int

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - request: The position of the asking interaction's request.
    ///   - origin: The request whose effects it shares; nil for its own.
    ///   - name: The effect's name.
    ///   - ordinal: Its ordinal among the effects of that name.
    ///   - identity: Distinguishes the asking interaction's request from another one at its position.
    ///   - originIdentity: The same for the request whose effects it shares.
    ///   - round: The interaction's round.
    public init(
        request: String,
        origin: String? = nil,
        name: String,
        ordinal: Int,
        identity: RequestIdentity? = nil,
        originIdentity: RequestIdentity? = nil,
        round: Int = 0
    ) {
        self.request = request
        self.origin = origin ?? request
        self.name = name
        self.ordinal = ordinal
        self.identity = identity
        self.originIdentity = originIdentity
        self.round = round
    }

    /// Whether both identify the same effect.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        (lhs.origin, lhs.name, lhs.ordinal) == (rhs.origin, rhs.name, rhs.ordinal)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.origin)
        hasher.combine(self.name)
        hasher.combine(self.ordinal)
    }
}

/// An effect that was made and not undone.
public struct MadeEffect: Hashable, Sendable {
    public var name: String
    /// 0 for the first of that name in the interaction, 1 for the next.
    public var ordinal: Int

    public init(name: String, ordinal: Int) {
        self.name = name
        self.ordinal = ordinal
    }

    /// The form in journal and state.
    package var json: JSONValue { ["name": .string(self.name), "ordinal": .integer(Int64(self.ordinal))] }

    package init?(json: JSONValue) {
        guard let name = json["name"]?.string,
            let ordinal = json["ordinal"]?.integer.flatMap({ Int(exactly: $0) })
        else { return nil }
        self.init(name: name, ordinal: ordinal)
    }
}

/// Which effects of an interaction that succeeds may be undone by its user, and until when (R75).
public struct UndoOffer: Hashable, Sendable {
    /// The user's id.
    public var user: String
    /// The interaction's id.
    public var interaction: String
    public var intent: IntentSnapshot
    /// Until when an effect may be undone, by its name, in milliseconds since 1970.
    public var until: [String: Int64]

    public init(user: String, interaction: String, intent: IntentSnapshot, until: [String: Int64]) {
        self.user = user
        self.interaction = interaction
        self.intent = intent
        self.until = until
    }

    /// Those of some effects that it concerns, and until when all of them may be undone; nil when it concerns none.
    package func offered(_ effects: [MadeEffect]) -> (effects: [MadeEffect], until: Int64)? {
        let offered = effects.filter { self.until[$0.name] != nil }
        return offered.compactMap { self.until[$0.name] }.min().map { (offered, $0) }
    }
}

/// A ledger has no rounds, or cannot undo, so that `handle` cannot ask back with it (R72d), nor undo anything (R75).
public struct UnsupportedLedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    public init() {}

    /// What is missing.
    public var description: String {
        "The store has no rounds, or cannot undo (EffectLedger.fence and undo): with it, handle can neither ask the user "
            + "again nor undo what it did."
    }
}

/// An effect that is to be undone was not made, or was undone by another interaction (R75).
public struct NoEffectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The effect.
    public var key: EffectKey

    public init(_ key: EffectKey) { self.key = key }

    /// Which effect it is.
    public var description: String {
        "The effect \(self.key.name) of request \(self.key.origin) was not made, or was undone already."
    }
}

/// An effect came after its interaction, or its round, had ended (R30): nothing was done.
public struct LedgerClosedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The effect that was refused.
    public var key: EffectKey

    public init(_ key: EffectKey) { self.key = key }

    /// What happened, and to which effect.
    public var description: String {
        "The interaction of request \(self.key.request) has ended, or went back to the user: its effect \(self.key.name) "
            + "was not performed."
    }
}
