internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import Synchronization

/// Answers today's turn with what the recorded turns were answered; calls no effect (R44).
///
/// The record of the same turn answers first. Next come the answers that the same stage got under the same name in this
/// interaction, and last those that any stage got.
final class ShadowTurnHost: StageHost {
    private struct State {
        var reads: [JournalRead] = []
        var answered: [String: Int] = [:]
        var effectNames: [String] = []
        var lacks: [String] = []
        var followUps = FollowUpList()
        var identifiers = 0
        var random: UInt64
    }

    private let own: [JournalRead]
    private let others: [JournalRead]
    private let foreignEffects: [String]
    private let earlierEffects: [String]
    private let time: Timestamp
    private let identifiers: TurnIdentifiers
    private let source: any StateSource
    private let globalVocabularies: GlobalVocabularies
    private let state: Mutex<State>

    /// Creates the host of a turn.
    ///
    /// - Parameters:
    ///   - own: What the turn that is played again was answered; nil when no recorded turn corresponds.
    ///   - others: What the interaction's other turns were answered, those of the same stage first.
    ///   - foreignEffects: The effects that the ledger held at the recorded end, and no recorded turn had asked for.
    ///   - earlierEffects: The effects that the turns before this one have called today.
    ///   - now: The turn's clock.
    ///   - identifiers: Generates ids and random numbers.
    ///   - attempt: The number of the attempt.
    ///   - source: The user's state.
    ///   - globalVocabularies: Today's terms that all users share.
    init(
        own: [JournalRead],
        others: [JournalRead],
        foreignEffects: [String] = [],
        earlierEffects: [String] = [],
        now: Timestamp,
        identifiers: TurnIdentifiers,
        attempt: Int,
        source: any StateSource,
        globalVocabularies: GlobalVocabularies
    ) {
        self.own = own
        self.others = others
        self.foreignEffects = foreignEffects
        self.earlierEffects = earlierEffects
        self.time = now
        self.identifiers = identifiers
        self.source = source
        self.globalVocabularies = globalVocabularies
        self.state = Mutex(State(random: identifiers.seed(attempt: attempt)))
    }

    var reads: [JournalRead] { self.state.withLock(\.reads) }
    var effectNames: [String] { self.state.withLock(\.effectNames) }
    /// What the turn asked for and the host could not answer, in words.
    var lacks: [String] { self.state.withLock(\.lacks) }
    var triesAtOnce: Bool { true }

    func currentTime() -> Timestamp { self.time }

    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try self.read(.run, name)
    }

    func step(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try self.read(.step, name)
    }

    func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try self.read(.read, name)
    }

    func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        let recorded = self.recorded(.effect, name)
        switch recorded?.result {
        case .failure(let error): throw error
        case .value(let value):
            self.state.withLock { $0.effectNames.append(name) }
            return value
        case nil:
            self.state.withLock { $0.effectNames.append(name) }
            throw MutedEffectError(name: name)
        }
    }

    /// Says what the ledger would hold, had today's handlers made their effects.
    func endLedger(request: RequestID, offering offer: UndoOffer?) async throws {
        self.state.withLock { state in
            state.effectNames = self.foreignEffects + state.effectNames.joined(to: self.earlierEffects)
        }
    }

    func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool {
        let name = unlessEffects ? "closeUnlessEffects" : "close"
        guard case .value(let value) = self.recorded(.ledger, name)?.result else { return true }
        return value.bool ?? true
    }

    /// Says which effects the interaction had then; none where it did not go back to the user.
    func fence(request: RequestID, round: Int, among names: Set<String>?) async throws -> [MadeEffect] {
        guard case .value(let fenced) = self.recorded(.ledger, "fence")?.result else { return [] }
        return (fenced["effects"]?.array ?? []).compactMap(MadeEffect.init(json:))
    }

    func result(of effect: MadeEffect, from origin: RequestID) async throws -> JSONValue? {
        guard case .value(let found) = self.recorded(.undo, "result \(effect.name)")?.result else { return nil }
        return found["result"]
    }

    /// Ends as the recorded undo did; one that was not recorded succeeds.
    func undo(
        _ effects: [MadeEffect],
        from origin: RequestID,
        _ body: @escaping @Sendable (Int, JSONValue, any StoreTransaction) throws -> Void
    ) async throws -> UndoOutcome {
        guard case .value(let outcome) = self.recorded(.undo, "undo")?.result else { return .undone }
        return UndoOutcome(json: outcome)
    }

    func adoptEffects(request: RequestID) async throws {
        guard case .value(let names) = self.recorded(.ledger, "effects")?.result else { return }
        self.state.withLock { $0.effectNames = (names.array ?? []).compactMap(\.string) }
    }

    /// In a shadow no turn continues another one: each try follows at once, in its own turn.
    func adopt(_ identifiers: TurnIdentifiers, attempt: Int, steps: [CommittedStep]) {}

    var followUps: FollowUpList { self.state.withLock(\.followUps) }

    func send(_ followUp: FollowUp, of interactionID: String) throws(FollowUpError) -> String {
        try self.state.withLock { (state) throws(FollowUpError) in
            try state.followUps.add(followUp, of: interactionID, in: self.identifiers)
        }
    }

    func cancel(followUp interactionID: String) throws(FollowUpError) {
        try self.state.withLock { (state) throws(FollowUpError) in try state.followUps.cancel(interactionID) }
    }

    func makeIdentifier() -> String {
        let ordinal = self.state.withLock { state in
            defer { state.identifiers += 1 }
            return state.identifiers
        }
        return self.identifiers.id(generation: 0, ordinal: "h\(ordinal)")
    }

    func nextRandom() -> UInt64 { self.state.withLock { SplitMix64.next(&$0.random) } }

    func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] {
        var json = self.source.value(StateName.vocabulary(type))
        if json == nil, case .value(let value) = self.recorded(.vocabulary, type.rawValue)?.result { json = value }
        return (json?["strings"]?.array ?? []).compactMap(VocabularyEntry.init(json:))
    }

    /// The meanings that words have today: in the user's vocabulary, or in its recorded answer where the vocabulary
    /// came before the range; otherwise in today's global one.
    func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] {
        let user = query.type.flatMap { self.source.value(StateName.vocabulary($0)) }
            .flatMap(UserVocabulary.init(json:))
        if user == nil {
            for read in self.own + self.others where read.kind == .vocabularyMatches && read.name == query.name {
                guard case .value(let json) = read.result, let then = VocabularyAnswer(json: json, to: query) else {
                    continue
                }
                if then.userVersion != nil, then.globalVersion == nil, !then.matches.isEmpty { return then.matches }
                break
            }
        }
        return VocabularyAnswer(query, user: user, global: self.globalVocabularies).matches
    }

    /// The meanings that words have today: what this version reads, at the recorded time.
    func understand(_ query: SpokenQuery) -> [SpokenMeaning] { query.meanings() }

    private func read(_ kind: JournalRead.Kind, _ name: String) throws -> JSONValue {
        switch self.recorded(kind, name)?.result {
        case .value(let value): return value
        case .failure(let error): throw error
        case nil:
            let words = "\(kind.rawValue) \(name)"
            self.state.withLock { $0.lacks.append("asks for \(words), which has no recorded answer") }
            throw JournaledError(
                message: "The handler asks for \(words), which has no recorded answer.",
                isTransient: false
            )
        }
    }

    /// The next recorded answer of that kind and name.
    private func recorded(_ kind: JournalRead.Kind, _ name: String) -> JournalRead? {
        let ordinal = self.state.withLock { state in
            let key = "\(kind.rawValue)/\(name)"
            defer { state.answered[key, default: 0] += 1 }
            return state.answered[key, default: 0]
        }
        func fits(_ read: JournalRead) -> Bool { read.kind == kind && read.name == name }
        let own = self.own.filter(fits)
        if own.indices.contains(ordinal) { return own[ordinal] }
        // An answer that was an error, such as a passing failure, says nothing about another turn.
        let others = self.others.filter { read in
            if case .failure = read.result { return false }
            return fits(read)
        }
        return others.indices.contains(ordinal) ? others[ordinal] : others.last
    }
}
