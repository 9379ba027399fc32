package import IntentEvents
package import IntentKit
import Synchronization

/// Answers a turn from its record: recorded reads are returned, effects are not made (R42).
package final class ReplayTurnHost: StageHost {
    private struct State {
        var reads: [JournalRead] = []
        /// The number of answered reads of each kind and name.
        var answered: [String: Int] = [:]
        var effectNames: [String] = []
        var identifiers = 0
        var followUps = FollowUpList()
        var turn: TurnIdentifiers
        var random: UInt64
        var vocabularies: Set<VocabularyStringType> = []
        var unrecordedReads: [String] = []
        var answers: [VocabularyQuery: [VocabularyMatch]] = [:]
        var meanings: [SpokenQuery: [SpokenMeaning]] = [:]
        var recorded: [[String]: JournalRead]?
    }

    private let record: TurnRecord
    private let state: Mutex<State>

    package init(_ record: TurnRecord, deployment: String) {
        self.record = record
        let turn = TurnIdentifiers(deployment: deployment, stage: record.stage, position: record.position)
        self.state = Mutex(State(turn: turn, random: turn.seed(attempt: record.attempt)))
    }

    package func currentTime() -> Timestamp { self.record.until ?? self.record.at }

    package var reads: [JournalRead] { self.state.withLock(\.reads) }

    package var effectNames: [String] { self.state.withLock(\.effectNames) }

    /// The reads that are not in the record, such as `run weather`.
    var unrecordedReads: [String] { self.state.withLock(\.unrecordedReads) }

    /// Returns the recorded answer.
    package func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try self.answer(.run, name)
    }

    /// Returns the step's recorded result; nothing is kept.
    package func step(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        try self.answer(.step, name)
    }

    /// Returns the stores' recorded answer.
    package func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try self.answer(.read, name)
    }

    /// Returns the effect's recorded result; the effect is not made.
    package func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        let value = try self.answer(.effect, name)
        self.state.withLock { $0.effectNames.append(name) }
        return value
    }

    /// Takes over the names of the effects that the ledger held when it was closed then; the ledger is not touched.
    package func endLedger(request: RequestID, offering offer: UndoOffer?) async throws {
        // A deployment without a ledger journals nothing about it.
        guard self.record.reads.contains(where: { $0.kind == .ledger }) else { return }
        self.adopt(try self.answer(.ledger, "close"))
    }

    /// Returns whether the ledger was closed then; the ledger is not touched.
    package func closeLedger(request: RequestID, unlessEffects: Bool) async throws -> Bool {
        guard self.record.reads.contains(where: { $0.kind == .ledger }) else { return true }
        return try self.answer(.ledger, unlessEffects ? "closeUnlessEffects" : "close").bool ?? false
    }

    /// Returns the effects that there were then; the ledger is not touched.
    package func fence(request: RequestID, round: Int, among names: Set<String>?) async throws -> [MadeEffect] {
        // As with closing: a deployment without a ledger has journaled nothing.
        guard self.record.reads.contains(where: { $0.kind == .ledger && $0.name == "fence" }) else { return [] }
        return (try self.answer(.ledger, "fence")["effects"]?.array ?? []).compactMap(MadeEffect.init(json:))
    }

    /// Returns the recorded result.
    package func result(of effect: MadeEffect, from origin: RequestID) async throws -> JSONValue? {
        try self.answer(.undo, "result \(effect.name)")["result"]
    }

    /// Returns what it came to then; nothing is undone.
    package func undo(
        _ effects: [MadeEffect],
        from origin: RequestID,
        _ body: @escaping @Sendable (Int, JSONValue, any StoreTransaction) throws -> Void
    ) async throws -> UndoOutcome {
        UndoOutcome(json: try self.answer(.undo, "undo"))
    }

    /// Takes over the names of the recorded effects of the interaction.
    package func adoptEffects(request: RequestID) async throws {
        // As with closing: a deployment without a ledger has journaled nothing.
        guard self.record.reads.contains(where: { $0.kind == .ledger && $0.name == "effects" }) else { return }
        self.adopt(try self.answer(.ledger, "effects"))
    }

    private func adopt(_ names: JSONValue) {
        self.state.withLock { $0.effectNames = (names.array ?? []).compactMap(\.string) }
    }

    package func adopt(_ identifiers: TurnIdentifiers, attempt: Int, steps: [CommittedStep]) {
        self.state.withLock { state in
            state.turn = identifiers
            state.random = identifiers.seed(attempt: attempt)
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

    /// Makes the same ids again.
    package func makeIdentifier() -> String {
        let (turn, ordinal) = self.state.withLock { state in
            defer { state.identifiers += 1 }
            return (state.turn, state.identifiers)
        }
        return turn.id(generation: 0, ordinal: "h\(ordinal)")
    }

    /// Draws the same random bits again.
    package func nextRandom() -> UInt64 { self.state.withLock { SplitMix64.next(&$0.random) } }

    /// The recorded vocabulary.
    package func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] {
        let recorded = self.record.reads.first { $0.kind == .vocabulary && $0.name == type.rawValue }
        guard let recorded, case .value(let json) = recorded.result else { return [] }
        self.state.withLock { state in
            if state.vocabularies.insert(type).inserted { state.reads.append(recorded) }
        }
        return (json["strings"]?.array ?? []).compactMap(VocabularyEntry.init(json:))
    }

    /// The recorded meanings of the words.
    ///
    /// A question that is not in the record has no answer; it is noted, so that the turn shows as a different one.
    package func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] {
        self.state.withLock { state in
            if let known = state.answers[query] { return known }
            if state.recorded == nil { state.recorded = Self.recordedAnswers(self.record) }
            let question = [query.name, query.words]
            let recorded = state.recorded?[question]
            if recorded == nil { state.unrecordedReads.append("vocabulary \(query.name) (\(query.words))") }
            let read = recorded ?? JournalRead(kind: .vocabularyMatches, name: query.name, result: .value(.null))
            var matches: [VocabularyMatch] = []
            if case .value(let json) = read.result {
                matches = VocabularyAnswer(json: json, to: query)?.matches ?? []
            }
            state.answers[query] = matches
            state.reads.append(read)
            return matches
        }
    }

    /// The recorded meanings of the words; nothing is parsed.
    ///
    /// Words that are not in the record mean nothing, and are noted, so that the turn shows as a different one.
    package func understand(_ query: SpokenQuery) -> [SpokenMeaning] {
        self.state.withLock { state in
            if let known = state.meanings[query] { return known }
            let recorded = self.record.reads.first { query.meanings(in: $0) != nil }
            if recorded == nil { state.unrecordedReads.append("understood \(query.parameter)") }
            let read = recorded ?? query.journaled([])
            let meanings = query.meanings(in: read) ?? []
            state.meanings[query] = meanings
            state.reads.append(read)
            return meanings
        }
    }

    /// The recorded answers of vocabularies by question: the vocabulary, and the words.
    private static func recordedAnswers(_ record: TurnRecord) -> [[String]: JournalRead] {
        var answers: [[String]: JournalRead] = [:]
        for read in record.reads where read.kind == .vocabularyMatches {
            guard case .value(let json) = read.result, let words = json["words"]?.string else { continue }
            answers[[read.name, words]] = read
        }
        return answers
    }

    private func answer(_ kind: JournalRead.Kind, _ name: String) throws -> JSONValue {
        let recorded = try self.state.withLock { state in
            let key = "\(kind.rawValue)/\(name)"
            let ordinal = state.answered[key, default: 0]
            state.answered[key] = ordinal + 1
            let candidates = self.record.reads.filter { $0.kind == kind && $0.name == name }
            guard candidates.indices.contains(ordinal) else {
                state.unrecordedReads.append("\(kind.rawValue) \(name)")
                throw UnrecordedReadError(kind: kind, name: name)
            }
            state.reads.append(candidates[ordinal])
            return candidates[ordinal]
        }
        switch recorded.result {
        case .value(let value): return value
        case .failure(let error): throw error
        }
    }
}

/// A turn makes a read that is not in its record.
struct UnrecordedReadError: Error, CustomStringConvertible {
    var kind: JournalRead.Kind
    /// The handler's name for it.
    var name: String

    var description: String {
        "The handler asks for \(self.kind.rawValue) \(self.name), which the recorded turn did not."
    }
}
