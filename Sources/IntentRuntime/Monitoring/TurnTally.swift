internal import IntentEvents

/// The outcomes of a batch's turns in one partition, for metrics: collected turn by turn, reported once a batch.
struct TurnTally: Sendable {
    /// Turns that count as the same.
    struct Kind: Hashable {
        /// The intent's name in the client's words; nil if the turn had none.
        var intent: String?
        /// The turns' outcome.
        var outcome: TurnOutcome
    }

    /// The turns of one kind.
    struct Group {
        var kind: Kind
        /// The duration of each, in nanoseconds.
        var durations: [Int64]
    }

    /// The turns by their kinds: a batch has a few.
    private(set) var groups: [Group] = []
    /// The duration of the handler calls in each turn that had any, in nanoseconds.
    private(set) var handlerCalls: [(intent: String?, duration: Int64)] = []
    /// The intents of the interactions that began.
    private(set) var started: [String?] = []
    /// The interactions that ended.
    private(set) var ended: [(intent: String?, end: InteractionEnd)] = []
    /// The errors of the dead letters.
    private(set) var deadLetters: [String] = []
    /// The intents of the effects that were made.
    private(set) var effects: [String?] = []
    /// Failures, and whether they are final.
    private(set) var failures: [(intent: String?, isFinal: Bool)] = []

    /// Adds a turn.
    mutating func add(_ result: TurnResult) {
        let record = result.record
        let kind = Kind(intent: record.intentName, outcome: record.outcome)
        if let place = self.groups.firstIndex(where: { $0.kind == kind }) {
            self.groups[place].durations.append(result.duration)
        } else {
            self.groups.append(Group(kind: kind, durations: [result.duration]))
        }
        if result.handlerDuration > 0 { self.handlerCalls.append((kind.intent, result.handlerDuration)) }
        if record.opened { self.started.append(kind.intent) }
        if let end = result.end { self.ended.append((kind.intent, end)) }
        if let failure = result.failure { self.failures.append((kind.intent, failure.isFinal)) }
        for output in result.outputs { if case .deadLetter(let error, _) = output { self.deadLetters.append(error) } }
        for read in record.reads where read.kind == .effect { self.effects.append(kind.intent) }
    }
}
