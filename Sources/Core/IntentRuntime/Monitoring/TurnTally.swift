internal import IntentEvents
internal import IntentKit

/// The outcomes of a batch's turns in one partition, for metrics: collected turn by turn, reported once a batch.
///
/// What counts as the same is gathered here, so that a batch looks each metric up once and not once a turn. A batch has a
/// few kinds of each; so they are searched one by one.
struct TurnTally: Sendable {
    /// Turns that count as the same.
    struct Kind: Hashable {
        /// The intent's name in the client's words; nil if the turn had none.
        var intent: String?
        var outcome: TurnOutcome
    }

    /// Ends of interactions that count as the same.
    struct EndKind: Hashable {
        /// The intent's name in the client's words.
        var intent: String?
        /// The intent's own code; nil if no handler gave one.
        var code: String?
        var reason: EndReason
    }

    /// Failures that count as the same.
    struct FailureKind: Hashable {
        /// The intent's name in the client's words.
        var intent: String?
        /// Whether they are not tried again.
        var isFinal: Bool
    }

    /// Mistakes of clients that count as the same (R79).
    struct MistakeKind: Hashable {
        var problem: ClientMistake.Problem
        /// The intent's name in the client's words; nil if the turn had none.
        var intent: String?
    }

    /// Answers of vocabularies that count as the same.
    struct AnswerKind: Hashable {
        /// What was asked of a vocabulary.
        enum Question: String {
            /// What words mean.
            case words
            /// All that the user has of a type.
            case list
        }

        var question: Question
        /// Whose vocabulary had an answer; nil if none had.
        var source: VocabularyMatch.Source?

        /// The kind of an answer; nil when something else was read.
        init?(_ read: JournalRead) {
            guard read.kind == .vocabulary || read.kind == .vocabularyMatches, case .value(let value) = read.result
            else { return nil }
            if read.kind == .vocabulary {
                self.question = .list
                self.source = value.isNull ? nil : .user
            } else {
                self.question = .words
                let isEmpty = value["matches"]?.array?.isEmpty ?? true
                self.source = isEmpty ? nil : value["global"]?.string == nil ? .user : .global
            }
        }
    }

    /// An interaction that ended.
    struct End: Sendable {
        /// From the writing of its request to its last turn, in milliseconds.
        var duration: Int64
        var prompts: Int
        /// When that turn ended, by the monotonic clock: since then it is being committed.
        var turnEnd: Duration
    }

    /// What was measured of things of one kind.
    struct Group<Kind: Hashable & Sendable, Value: Sendable>: Sendable {
        var kind: Kind
        var values: [Value]
    }

    /// The durations of turns, in nanoseconds.
    private(set) var turns: [Group<Kind, Int64>] = []
    /// The durations of the handler calls in each turn that had any, in nanoseconds, by intent.
    private(set) var handlerCalls: [Group<String?, Int64>] = []
    /// How many interactions began, by intent.
    private(set) var started: [(kind: String?, count: Int64)] = []
    /// The interactions that ended.
    private(set) var ended: [Group<EndKind, End>] = []
    /// The errors of the dead letters.
    private(set) var deadLetters: [String] = []
    /// How many effects were made, by intent.
    private(set) var effects: [(kind: String?, count: Int64)] = []
    /// How many answers vocabularies gave.
    private(set) var vocabularyAnswers: [(kind: AnswerKind, count: Int64)] = []
    /// How many mistakes clients made.
    private(set) var mistakes: [(kind: MistakeKind, count: Int64)] = []
    /// How many interactions began to wait for an operator, by intent.
    private(set) var operatorWaits: [(kind: String?, count: Int64)] = []
    /// The parts of interactions' time, in nanoseconds (R80).
    private(set) var times: [Group<InteractionState, Int64>] = []
    /// When the turns of interactions ended, by the monotonic clock: since then they are being committed.
    private(set) var turnEnds: [Duration] = []
    /// How many turns failed.
    private(set) var failures: [(kind: FailureKind, count: Int64)] = []

    mutating func add(_ result: TurnResult) {
        let record = result.record
        let intent = record.intentName
        Self.add(result.duration, of: Kind(intent: intent, outcome: record.outcome), to: &self.turns)
        if result.handlerDuration > 0 { Self.add(result.handlerDuration, of: intent, to: &self.handlerCalls) }
        if record.opened { Self.count(intent, in: &self.started) }
        if let end = result.end {
            let kind = EndKind(intent: intent, code: end.code, reason: end.reason)
            let values = End(duration: end.duration, prompts: end.prompts, turnEnd: result.endedAt)
            Self.add(values, of: kind, to: &self.ended)
        }
        if let failure = result.failure {
            Self.count(FailureKind(intent: intent, isFinal: failure.isFinal), in: &self.failures)
        }
        self.addTimes(of: result)
        if result.asksOperator { Self.count(intent, in: &self.operatorWaits) }
        for mistake in record.mistakes {
            Self.count(MistakeKind(problem: mistake.problem, intent: intent), in: &self.mistakes)
        }
        for output in result.outputs { if case .deadLetter(let error, _) = output { self.deadLetters.append(error) } }
        for read in record.reads {
            if read.kind == .effect {
                Self.count(intent, in: &self.effects)
            } else if let kind = AnswerKind(read) {
                Self.count(kind, in: &self.vocabularyAnswers)
            }
        }
    }

    /// Adds what a turn says about the parts of its interaction's time.
    private mutating func addTimes(of result: TurnResult) {
        let record = result.record
        guard record.request != nil, !record.isOfRunningTurn else { return }
        switch record.outcome {
        case .rejected, .ignored, .refused: return
        default: break
        }
        self.turnEnds.append(result.endedAt)
        Self.add(result.duration, of: .running, to: &self.times)
        // A later attempt was not queued, and a timer is written when it is due.
        if result.input.firstTriedAt == nil, record.eventType != EventType.timerFired.rawValue {
            let queued = ClientClock.wait(since: result.stored.timestamp, until: record.at)
            Self.add(queued * 1_000_000, of: .queued, to: &self.times)
        }
        if let failedAt = result.input.failedAt {
            Self.add(max(0, record.at - failedAt) * 1_000_000, of: .retrying, to: &self.times)
        }
        if let awaited = result.awaited { Self.add(awaited.nanoseconds, of: awaited.state, to: &self.times) }
    }

    private static func add<Kind, Value>(_ value: Value, of kind: Kind, to groups: inout [Group<Kind, Value>]) {
        if let index = groups.firstIndex(where: { $0.kind == kind }) {
            groups[index].values.append(value)
        } else {
            groups.append(Group(kind: kind, values: [value]))
        }
    }

    private static func count<Kind: Equatable>(_ kind: Kind, in counts: inout [(kind: Kind, count: Int64)]) {
        if let index = counts.firstIndex(where: { $0.kind == kind }) {
            counts[index].count += 1
        } else {
            counts.append((kind, 1))
        }
    }
}
