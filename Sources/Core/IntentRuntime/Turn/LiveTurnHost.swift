package import IntentEvents
package import IntentKit
import Synchronization

/// Executes a turn's reads and effects, and journals them.
package final class LiveTurnHost: StageHost {
    private struct State {
        /// An index is reserved when a read begins, so that the order does not depend on which one ends first.
        var reads: [JournalRead?] = []
        var effectOrdinals: [String: Int] = [:]
        var effectNames: [String] = []
        var identifiers = 0
        var vocabularies: [VocabularyStringType: [VocabularyEntry]] = [:]
        var answers: [VocabularyQuery: [VocabularyMatch]] = [:]
        /// The state of the random numbers; nil before the first one is drawn.
        var random: UInt64?
    }

    private let environment: StageEnvironment
    private let identifiers: TurnIdentifiers
    private let attempt: Int
    /// The position of the interaction's request, and of the request whose effects it shares.
    private let request: RequestID?
    private let origin: RequestID?
    /// Distinguishes those requests from others at their positions.
    private let identity: RequestIdentity?
    private let originIdentity: RequestIdentity?
    private let user: UserID
    private let source: any StateSource
    /// The turn's spans; nil when it is not traced.
    private let spans: TurnSpans?
    private let state = Mutex(State())

    package init(
        environment: StageEnvironment,
        identifiers: TurnIdentifiers,
        attempt: Int,
        interaction: Interaction?,
        user: UserID,
        source: any StateSource,
        spans: TurnSpans? = nil
    ) {
        self.environment = environment
        self.identifiers = identifiers
        self.attempt = attempt
        self.request = interaction?.request
        self.origin = interaction?.origin
        let keepsLedger = environment.stage == .handle && environment.ledger != nil
        self.identity = keepsLedger ? interaction?.identity : nil
        self.originIdentity = keepsLedger ? interaction?.originIdentity(self.identity) : nil
        self.user = user
        self.source = source
        self.spans = spans
    }

    package func currentTime() -> Timestamp { self.environment.clock.now }

    package var reads: [JournalRead] { self.state.withLock { $0.reads.compactMap { $0 } } }

    /// The names of the effects that were made.
    package var effectNames: [String] { self.state.withLock(\.effectNames) }

    package func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try await self.journaled(.run, name, body)
    }

    package func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        let ledger = try self.ledger(for: "the read \(name)")
        return try await self.journaled(.read, name) { try await ledger.read(body) }
    }

    package func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        guard self.environment.stage == .handle, let request = self.request else {
            throw JournaledError(
                message: "The effect \(name) was asked for in \(self.environment.stage): effects belong in handle.",
                isTransient: false
            )
        }
        let ledger = try self.ledger(for: "the effect \(name)")
        let ordinal = self.state.withLock { state in
            defer { state.effectOrdinals[name, default: 0] += 1 }
            return state.effectOrdinals[name, default: 0]
        }
        let key = EffectKey(
            request: request.text,
            origin: self.origin?.text,
            name: name,
            ordinal: ordinal,
            identity: self.identity,
            originIdentity: self.originIdentity
        )
        let result = try await self.journaled(.effect, name) { try await ledger.perform(key, body) }
        self.state.withLock { $0.effectNames.append(name) }
        return result
    }

    /// Closes the interaction's ledger, and takes over the names of the effects in it.
    package func endLedger(request: RequestID) async throws {
        guard let ledger = self.environment.ledger else { return }
        let names = try await self.journaled(.ledger, "close") {
            let names = try await ledger.end(
                request: request.text,
                origin: (self.origin ?? request).text,
                identity: request == self.request ? self.identity : nil
            )
            return .array(names.map(JSONValue.string))
        }
        self.adopt(names)
    }

    package func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool {
        guard let ledger = self.environment.ledger else { return true }
        let closed = try await self.journaled(.ledger, unlessEffects ? "closeUnlessEffects" : "close") {
            .bool(
                try await ledger.close(
                    request: request.text,
                    origin: (self.origin ?? request).text,
                    identity: request == self.request ? self.identity : nil,
                    unlessEffects: unlessEffects
                )
            )
        }
        return closed.bool ?? false
    }

    /// Takes over the names of the effects that the interaction has made already.
    package func adoptEffects(request: RequestID) async throws {
        guard let ledger = self.environment.ledger else { return }
        let origin = (self.origin ?? request).text
        let names = try await self.journaled(.ledger, "effects") {
            .array(try await ledger.effects(origin: origin).map(JSONValue.string))
        }
        self.adopt(names)
    }

    private func adopt(_ names: JSONValue) {
        self.state.withLock { $0.effectNames = (names.array ?? []).compactMap(\.string) }
    }

    /// An id of this turn's own.
    package func makeIdentifier() -> String {
        let ordinal = self.state.withLock { state in
            defer { state.identifiers += 1 }
            return state.identifiers
        }
        return self.identifiers.id(generation: 0, ordinal: "h\(ordinal)")
    }

    /// The next random bits: SplitMix64.
    package func nextRandom() -> UInt64 {
        self.state.withLock { state in
            var random = state.random ?? self.identifiers.seed(attempt: self.attempt)
            defer { state.random = random }
            return SplitMix64.next(&random)
        }
    }

    /// The user's vocabulary of a type; journaled when it is first read.
    package func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] {
        if let known = self.state.withLock({ $0.vocabularies[type] }) { return known }
        let vocabulary = self.userVocabulary(type)
        self.state.withLock { state in
            state.vocabularies[type] = vocabulary?.entries ?? []
            let json = vocabulary?.json ?? .null
            state.reads.append(JournalRead(kind: .vocabulary, name: type.rawValue, result: .value(json)))
        }
        return vocabulary?.entries ?? []
    }

    /// What words mean; the answer is journaled when the question is first asked, without the rest of the vocabulary.
    package func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] {
        if let known = self.state.withLock({ $0.answers[query] }) { return known }
        let answer = VocabularyAnswer(
            query,
            user: query.type.flatMap(self.userVocabulary),
            global: self.environment.globalVocabularies
        )
        self.state.withLock { state in
            state.answers[query] = answer.matches
            let json = answer.json(query)
            state.reads.append(JournalRead(kind: .vocabularyMatches, name: query.name, result: .value(json)))
        }
        return answer.matches
    }

    private func userVocabulary(_ type: VocabularyStringType) -> UserVocabulary? {
        let name = StateName.vocabulary(type)
        guard let text = self.source.entry(name)?.text else { return nil }
        return self.environment.vocabularies.vocabulary(name, user: self.user, text: text)
    }

    private func ledger(for what: String) throws -> any EffectLedger {
        guard let ledger = self.environment.ledger else {
            throw JournaledError(
                message: "There is no store for \(what): this worker was started without one (`ledger: none`).",
                isTransient: false
            )
        }
        return ledger
    }

    private func journaled(
        _ kind: JournalRead.Kind,
        _ name: String,
        _ body: @Sendable () async throws -> JSONValue
    ) async throws -> JSONValue {
        let index = self.state.withLock { state in
            state.reads.append(nil)
            return state.reads.count - 1
        }
        do {
            let value: JSONValue
            if let spans = self.spans {
                value = try await spans.measure(kind, name, body)
            } else {
                value = try await body()
            }
            self.state.withLock { $0.reads[index] = JournalRead(kind: kind, name: name, result: .value(value)) }
            return value
        } catch let error as CancellationError {
            throw error
        } catch let error as LedgerClosedError {
            throw error
        } catch let error as ForeignRequestError {
            self.environment.foreignEntries.record(error)
            throw error
        } catch {
            let journaled = JournaledError(
                message: String(describing: error),
                isTransient: (error as? JournaledError)?.isTransient ?? (error is any TransientError),
                clientMessage: TurnFailure.clientMessage(of: error)
            )
            self.state.withLock { $0.reads[index] = JournalRead(kind: kind, name: name, result: .failure(journaled)) }
            throw journaled
        }
    }
}

/// Sebastiano Vigna's SplitMix64: a small generator whose whole state is one number.
package enum SplitMix64 {
    /// Advances the state and returns the next 64 bits.
    package static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
