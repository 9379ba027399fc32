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
        var meanings: [SpokenQuery: [SpokenMeaning]] = [:]
        /// The state of the random numbers; nil before the first one is drawn.
        var random: UInt64?
        /// When the last report was made that is on its way to the user, by the monotonic clock.
        var reportedAt: Duration?
        var reports = 0
        var stepOrdinals: [String: Int] = [:]
        /// The number of steps that were called, and the size of the kept results in bytes.
        var stepCount = 0
        var stepBytes = 0
        /// The steps that earlier runs of the turn have committed.
        var steps: [CommittedStep] = []
        var followUps = FollowUpList()
        var turn: TurnIdentifiers
        var attempt: Int

        init(turn: TurnIdentifiers, attempt: Int, steps: [CommittedStep]) {
            self.turn = turn
            self.attempt = attempt
            if !steps.isEmpty { self.add(steps) }
        }

        mutating func add(_ steps: [CommittedStep]) {
            self.steps += steps
            self.stepBytes += steps.reduce(0) { $0 + $1.value.utf8.count }
        }
    }

    /// How many reports of a turn reach the user at most.
    private static let maximumReports = 1_000
    /// How much of a report's text reaches the user, in bytes.
    private static let maximumReportBytes = 1_024

    private let environment: StageEnvironment
    /// The position of the interaction's request, and of the request whose effects it shares.
    private let request: RequestID?
    private let origin: RequestID?
    /// Distinguishes those requests from others at their positions.
    private let identity: RequestIdentity?
    private let originIdentity: RequestIdentity?
    /// The interaction's round, whose effects alone are made.
    private let round: Int
    private let user: UserID
    private let source: any StateSource
    /// Receives what the handler says while it is running; nil for nobody.
    private let notes: (any NoteReceiver)?
    /// The turn's spans; nil when it is not traced.
    private let spans: TurnSpans?
    private let state: Mutex<State>

    package init(
        environment: StageEnvironment,
        identifiers: TurnIdentifiers,
        attempt: Int,
        interaction: Interaction?,
        user: UserID,
        source: any StateSource,
        steps: [CommittedStep] = [],
        notes: (any NoteReceiver)? = nil,
        spans: TurnSpans? = nil
    ) {
        self.environment = environment
        self.request = interaction?.request
        self.origin = interaction?.origin
        let keepsLedger = environment.stage == .handle && environment.ledger != nil
        self.identity = keepsLedger ? interaction?.identity : nil
        self.originIdentity = keepsLedger ? interaction?.originIdentity(self.identity) : nil
        self.round = interaction?.round ?? 0
        self.user = user
        self.source = source
        self.notes = notes
        self.state = Mutex(State(turn: identifiers, attempt: attempt, steps: steps))
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
        let key = self.key(MadeEffect(name: name, ordinal: ordinal), from: self.origin ?? request, by: request)
        let result = try await self.journaled(.effect, name) { try await ledger.perform(key, body) }
        self.state.withLock { $0.effectNames.append(name) }
        return result
    }

    /// The key of an effect that the interaction makes or undoes.
    private func key(_ effect: MadeEffect, from origin: RequestID, by request: RequestID) -> EffectKey {
        EffectKey(
            request: request.text,
            origin: origin.text,
            name: effect.name,
            ordinal: effect.ordinal,
            identity: self.identity,
            // Of the effects of another interaction nothing is known.
            originIdentity: origin == (self.origin ?? request) ? self.originIdentity : nil,
            round: self.round
        )
    }

    private struct NotMadeError: Error {}

    /// The result of an effect that is current; nil for another one.
    private static func recorded(_ key: EffectKey, in ledger: any EffectLedger) async throws -> JSONValue? {
        do {
            // A recorded result is returned to any asker, and this body makes nothing.
            return try await ledger.perform(key) { _ in throw NotMadeError() }
        } catch is NotMadeError, is LedgerClosedError {
            return nil
        }
    }

    package func result(of effect: MadeEffect, from origin: RequestID) async throws -> JSONValue? {
        guard let request = self.request else { return nil }
        let ledger = try self.ledger(for: "undoing \(effect.name)")
        let key = self.key(effect, from: origin, by: request)
        let found = try await self.journaled(.undo, "result \(effect.name)") {
            try await Self.recorded(key, in: ledger).map { ["result": $0] } ?? [:]
        }
        return found["result"]
    }

    package func undo(
        _ effects: [MadeEffect],
        from origin: RequestID,
        _ body: @escaping @Sendable (Int, JSONValue, any StoreTransaction) throws -> Void
    ) async throws -> UndoOutcome {
        guard let request = self.request else { return .gone }
        let ledger = try self.ledger(for: "undoing effects")
        let keys = effects.map { self.key($0, from: origin, by: request) }
        let (round, isOwn) = (self.round, origin == (self.origin ?? request))
        let outcome = try await self.journaled(.undo, "undo") {
            var outcome: JSONObject = [
                "effects": .array(effects.map(\.json)), "request": .string(origin.text),
                "round": .integer(Int64(round)),
            ]
            do {
                _ = try await ledger.undo(keys) { key, result, store in
                    if let index = keys.firstIndex(of: key) { try body(index, result, store) }
                    return .null
                }
            } catch let refusal as RefusedUndoError {
                outcome["refused"] = .string(refusal.reason)
            } catch is NoEffectError {
                outcome["gone"] = true
            } catch let error as LedgerClosedError {
                // An interaction's own undos close its ledger after the last one. So an earlier run of this turn has come
                // to its end, and was lost: what it has not undone was gone, or stays.
                guard isOwn else { throw error }
                outcome["gone"] = true
                for key in keys where try await Self.recorded(key, in: ledger) != nil {
                    outcome["gone"] = nil
                    outcome["refused"] = .string(Undoing.Cause.failed.rawValue)
                }
            }
            return .object(outcome)
        }
        return UndoOutcome(json: outcome)
    }

    /// The largest number of steps in a turn.
    private static let maximumSteps = 100
    /// The size of a step's name, of its result, and of all results of a turn, in bytes.
    private static let maximumStepName = 256
    private static let maximumStepResult = 64 * 1024
    private static let maximumStepResults = 256 * 1024
    /// How deep a result may nest: it is kept in an entry that nests itself, and must be readable again.
    private static let maximumStepDepth = 32

    /// Does a step, and waits until its result is committed; a step that an earlier run has committed returns its result.
    package func step(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try await self.journaled(.step, name) {
            let ordinal = try self.beginStep(name)
            if let known = self.knownStep(name, ordinal) { return known.value }
            let value = try await body()
            try self.reserve(value.utf8, name)
            guard let notes = self.notes else { return value }
            let commit = NoteCommit()
            notes.receive(.step(CommittedStep(name: name, ordinal: ordinal, value: value)), commit)
            try await commit.value()
            return value
        }
    }

    private func knownStep(_ name: String, _ ordinal: Int) -> CommittedStep? {
        self.state.withLock { $0.steps.first { $0.name == name && $0.ordinal == ordinal } }
    }

    package func adopt(_ identifiers: TurnIdentifiers, attempt: Int, steps: [CommittedStep]) {
        self.state.withLock { state in
            state.turn = identifiers
            state.attempt = attempt
            state.add(steps)
        }
    }

    /// Counts a step before it begins.
    ///
    /// - Returns: Its number among the steps of that name.
    private func beginStep(_ name: String) throws -> Int {
        guard self.environment.stage == .handle, self.request != nil else {
            throw Self.refusal(of: name, "was asked for in \(self.environment.stage): steps belong in handle.")
        }
        // What has steps already is of format 2, whatever is set.
        guard self.environment.settings.formats.writes >= 2 || self.state.withLock({ !$0.steps.isEmpty }) else {
            throw Self.refusal(
                of: name,
                "needs format 2: set formats.write: 2 when all workers are of this version (R57)."
            )
        }
        guard name.utf8.count <= Self.maximumStepName else {
            throw Self.refusal(
                of: String(name.prefix(32)) + "…",
                "has a name of more than \(Self.maximumStepName) bytes."
            )
        }
        return try self.state.withLock { state in
            guard state.stepCount < Self.maximumSteps else {
                throw Self.refusal(of: name, "is one too many: a turn has \(Self.maximumSteps) at most.")
            }
            state.stepCount += 1
            defer { state.stepOrdinals[name, default: 0] += 1 }
            return state.stepOrdinals[name, default: 0]
        }
    }

    /// Counts the result of a step before it is kept, and checks that it can be read again.
    private func reserve(_ text: [UInt8], _ name: String) throws {
        let byteCount = text.count
        guard byteCount <= Self.maximumStepResult else {
            throw Self.refusal(of: name, "has a result of more than \(Self.maximumStepResult) bytes of JSON.")
        }
        guard (try? JSONValue(parsing: text, maximumDepth: Self.maximumStepDepth)) != nil else {
            throw Self.refusal(
                of: name,
                "has a result that nests deeper than \(Self.maximumStepDepth) levels, or a number that JSON does not have."
            )
        }
        try self.state.withLock { state in
            guard state.stepBytes + byteCount <= Self.maximumStepResults else {
                throw Self.refusal(
                    of: name,
                    "makes the results of the turn's steps larger than \(Self.maximumStepResults) bytes of JSON."
                )
            }
            state.stepBytes += byteCount
        }
    }

    private static func refusal(of step: String, _ reason: String) -> JournaledError {
        JournaledError(message: "The step \(step) \(reason)", isTransient: false)
    }

    /// Passes a report on, unless the last one was made just before.
    package func report(_ fraction: Double?, _ text: String?) {
        guard let notes = self.notes, self.environment.stage == .handle, self.request != nil else { return }
        let now = self.environment.clock.uptime
        let before = self.state.withLock { state -> Duration?? in
            let last = state.reportedAt
            let isDue = last.map { now - $0 >= self.environment.settings.reportEvery } ?? true
            guard isDue, state.reports < Self.maximumReports else { return .none }
            state.reportedAt = now
            state.reports += 1
            return .some(last)
        }
        guard let before else { return }
        let fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        guard !notes.receive(.report(fraction: fraction, text: text.map { $0.cut(to: Self.maximumReportBytes) })) else {
            return
        }
        self.state.withLock { state in
            state.reportedAt = before
            state.reports -= 1
        }
    }

    package var followUps: FollowUpList { self.state.withLock(\.followUps) }

    package func send(_ followUp: FollowUp, of interactionID: String) throws(FollowUpError) -> String {
        try self.state.withLock { (state) throws(FollowUpError) in
            try state.followUps.add(followUp, of: interactionID, in: state.turn)
        }
    }

    package func cancel(followUp interactionID: String) throws(FollowUpError) {
        try self.state.withLock { (state) throws(FollowUpError) in try state.followUps.cancel(interactionID) }
    }

    /// Closes the interaction's ledger, and takes over the names of the effects in it.
    package func endLedger(request: RequestID, offering offer: UndoOffer?) async throws {
        guard let ledger = self.environment.ledger else { return }
        let (origin, identity) = ((self.origin ?? request).text, request == self.request ? self.identity : nil)
        let names = try await self.journaled(.ledger, "close") {
            let names: [String]
            if let offer {
                names = try await ledger.end(request: request.text, origin: origin, identity: identity, offering: offer)
            } else {
                names = try await ledger.end(request: request.text, origin: origin, identity: identity)
            }
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

    /// Begins a round; the effects' names are journaled in another form than those of an end.
    package func fence(request: RequestID, round: Int, among names: Set<String>?) async throws -> [MadeEffect] {
        guard let ledger = self.environment.ledger else { return [] }
        let fenced = try await self.journaled(.ledger, "fence") {
            let effects = try await ledger.fence(
                request: request.text,
                origin: (self.origin ?? request).text,
                identity: request == self.request ? self.identity : nil,
                round: round,
                among: names
            )
            return ["effects": .array(effects.map(\.json)), "round": .integer(Int64(round))]
        }
        return (fenced["effects"]?.array ?? []).compactMap(MadeEffect.init(json:))
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
        let (turn, ordinal) = self.state.withLock { state in
            defer { state.identifiers += 1 }
            return (state.turn, state.identifiers)
        }
        return turn.id(generation: 0, ordinal: "h\(ordinal)")
    }

    /// The next random bits: SplitMix64.
    package func nextRandom() -> UInt64 {
        self.state.withLock { state in
            var random = state.random ?? state.turn.seed(attempt: state.attempt)
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

    /// What words mean; the answer is journaled when the question is first asked.
    package func understand(_ query: SpokenQuery) -> [SpokenMeaning] {
        if let known = self.state.withLock({ $0.meanings[query] }) { return known }
        let meanings = query.meanings()
        self.state.withLock { state in
            state.meanings[query] = meanings
            state.reads.append(query.journaled(meanings))
        }
        return meanings
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
                clientMessage: TurnFailure.clientMessage(of: error),
                retryAfter: (error as? JournaledError)?.retryAfter ?? (error as? any TransientError)?.retryAfter
            )
            self.state.withLock { $0.reads[index] = JournalRead(kind: kind, name: name, result: .failure(journaled)) }
            throw journaled
        }
    }
}

extension String {
    /// Its beginning of at most that many bytes of UTF-8, without a part of a character.
    fileprivate func cut(to byteCount: Int) -> String {
        guard self.utf8.count > byteCount else { return self }
        var beginning = String(self.prefix(byteCount))
        while beginning.utf8.count > byteCount { beginning.removeLast() }
        return beginning
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
