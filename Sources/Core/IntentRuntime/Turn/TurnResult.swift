package import IntentEvents
internal import IntentKit

/// The result of a turn: it can be committed now or later.
///
/// This is a reference, since it never changes and is passed around, and a copy would touch each part.
package final class TurnResult: Sendable {
    /// The event that was processed.
    let input: TurnInput
    /// The state changes; nil removes an entry.
    package let writes: StateWrites
    /// The outputs, in order.
    package let outputs: ShortList<TurnOutput>
    /// What the turn says in its journal record.
    package let record: TurnDraft
    /// When the turn is to be tried again, if it is.
    package let retryAt: Timestamp?
    /// Whether the parked turn of this user ends with this one: cancelled, or timed out.
    package let endsParked: Bool
    /// The home partition of its user, when the event became a dead letter in another one; nil for the event's own
    /// partition.
    package let answerPartition: Int?
    /// Whether its event goes to dead letters without its large parts.
    package let isCut: Bool
    /// The state entries whose timers came too early: the lane waits for their deadlines again.
    package let earlyTimers: [StateName]
    /// The failure, to be reported to operators after the commit.
    package let failure: TurnFailure?
    /// What the dead letter passes on from the interaction (R48).
    let redrive: RedriveState?
    /// The oldest format that has what it carries along, whatever is set: a worker that writes an older one may take over
    /// an interaction from one that writes the newer (R57).
    let neededFormat: Int
    /// The format of its journal record: that one, or the one that its worker may write, if the result depends on it.
    let journalFormat: Int
    /// How the interaction ended, if it did.
    let end: InteractionEnd?
    /// Whether the interaction began to wait for an operator (R76).
    let asksOperator: Bool
    /// Whom the interaction has waited for until the event, and how long; nil for nobody.
    let awaited: InteractionTime?
    /// When the turn ended, by the monotonic clock.
    let endedAt: Duration
    /// How long the turn took, in nanoseconds.
    let duration: Int64
    /// The handlers' part of that duration, in nanoseconds.
    let handlerDuration: Int64
    /// The turn's spans; nil when it is not traced.
    let spans: TurnSpans?

    init(
        input: TurnInput,
        writes: StateWrites = [:],
        outputs: ShortList<TurnOutput> = [],
        record: TurnDraft,
        retryAt: Timestamp? = nil,
        endsParked: Bool = false,
        answerPartition: Int? = nil,
        isCut: Bool = false,
        earlyTimers: [StateName] = [],
        failure: TurnFailure? = nil,
        redrive: RedriveState? = nil,
        neededFormat: Int = 1,
        journalFormat: Int = 1,
        end: InteractionEnd? = nil,
        asksOperator: Bool = false,
        awaited: InteractionTime? = nil,
        endedAt: Duration = .zero,
        duration: Int64 = 0,
        handlerDuration: Int64 = 0,
        spans: TurnSpans? = nil
    ) {
        self.input = input
        self.writes = writes
        self.outputs = outputs
        self.record = record
        self.retryAt = retryAt
        self.endsParked = endsParked
        self.answerPartition = answerPartition
        self.isCut = isCut
        self.earlyTimers = earlyTimers
        self.failure = failure
        self.redrive = redrive
        self.neededFormat = neededFormat
        self.journalFormat = journalFormat
        self.end = end
        self.asksOperator = asksOperator
        self.awaited = awaited
        self.endedAt = endedAt
        self.duration = duration
        self.handlerDuration = handlerDuration
        self.spans = spans
    }

    /// The record of the event that was processed.
    package var stored: StoredRecord { self.input.stored }

    /// Whether the topics accept everything that it would write (R47).
    ///
    /// Headers are not measured: those of intentd's own records are bounded where they are decoded, and a dead letter
    /// is bounded where it is made.
    var fits: Bool {
        self.outputs.allSatisfy(self.fits)
            && self.writes.values.allSatisfy { ($0?.text.count ?? 0) <= RecordLimits.value } && self.record.fits
    }

    private func fits(_ output: TurnOutput) -> Bool {
        switch output {
        case .event(.resolved, let draft), .event(.confirmed, let draft), .event(.signals, let draft):
            draft.body.content.withParts { RecordLimits.allowsWaiting($0.value) }
        case .event(_, let draft), .addressed(_, let draft, _, _): draft.body.content.valueCount <= RecordLimits.value
        case .forward(let topic, _, _): RecordLimits.allowsForwarding(self.stored, to: topic)
        case .deadLetter: true
        }
    }
}

extension TurnDraft {
    /// Whether `journal` accepts the record; only a record that may be too large is written to find out.
    fileprivate var fits: Bool {
        let read = self.reads.reduce(0) { $0 + $1.json.maximumTextSize }
        let bound = self.before.values.reduce(read) { $0 + $1.count }
        // The rest of a record is far smaller than the other half of the limit.
        return bound <= RecordLimits.value / 2 || self.byteCount <= RecordLimits.value
    }

    /// The size of the record's value, without outputs and digests.
    private var byteCount: Int { JSONText.bytes { self.write(to: &$0, TurnSeal(previousDigest: "")) }.count }
}

/// An output of a turn, before ids are assigned: they depend on the generation (R7).
package enum TurnOutput: Hashable, Sendable {
    /// An event of intentd's own.
    case event(Topic, EventDraft)
    /// An event of intentd's own, to another user's home partition; with an id of its own, or that of its ordinal.
    case addressed(Topic, EventDraft, partition: Int, id: String?)
    /// The turn's own event, unchanged, to a partition of a topic; with a stage when it goes to `signals`.
    case forward(Topic, partition: Int, stage: Stage?)
    /// The turn's own event, to dead letters.
    case deadLetter(error: String, detail: String)

    /// The topic to which it is written.
    package var topic: Topic {
        switch self {
        case .event(let topic, _), .addressed(let topic, _, _, _), .forward(let topic, _, _): topic
        case .deadLetter: .deadLetters
        }
    }
}
