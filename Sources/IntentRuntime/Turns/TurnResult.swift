package import IntentEvents
internal import IntentKit

/// What a turn comes to: it can be committed now or later.
///
/// It never changes, and is passed from hand to hand: a reference, since a copy of so many parts would touch each.
package final class TurnResult: Sendable {
    /// The event that was processed.
    package let stored: StoredRecord
    /// State entries to be written; nil removes one.
    package let writes: StateWrites
    /// What goes out, in order.
    package let outputs: [TurnOutput]
    /// The journal's record, without outputs and digests.
    package let record: TurnRecord
    /// When the turn is to be tried again, if it is.
    package let retryAt: Timestamp?
    /// Whether the parked turn of this user is over with this one: cancelled, or timed out.
    package let endsParked: Bool
    /// The partition where its user is at home, when the event was buried in another one; nil for the one it stood in.
    package let answerPartition: Int?
    /// Whether its event goes to dead letters without what takes much room.
    package let isCut: Bool
    /// The state entries whose timers came before their time: the lane waits for their deadlines again.
    package let earlyTimers: [StateName]
    /// What went wrong, to be told to operators once the turn is committed.
    package let failure: TurnFailure?
    /// How the interaction ended, if it did.
    let end: InteractionEnd?
    /// How long the turn took, in nanoseconds.
    let duration: Int64
    /// How much of that handlers took, in nanoseconds.
    let handlerDuration: Int64

    /// Gathers what a turn came to.
    init(
        stored: StoredRecord,
        writes: StateWrites = [:],
        outputs: [TurnOutput] = [],
        record: TurnRecord,
        retryAt: Timestamp? = nil,
        endsParked: Bool = false,
        answerPartition: Int? = nil,
        isCut: Bool = false,
        earlyTimers: [StateName] = [],
        failure: TurnFailure? = nil,
        end: InteractionEnd? = nil,
        duration: Int64 = 0,
        handlerDuration: Int64 = 0
    ) {
        self.stored = stored
        self.writes = writes
        self.outputs = outputs
        self.record = record
        self.retryAt = retryAt
        self.endsParked = endsParked
        self.answerPartition = answerPartition
        self.isCut = isCut
        self.earlyTimers = earlyTimers
        self.failure = failure
        self.end = end
        self.duration = duration
        self.handlerDuration = handlerDuration
    }

    /// The same with another record for the journal.
    func with(_ record: TurnRecord) -> TurnResult {
        TurnResult(
            stored: self.stored,
            writes: self.writes,
            outputs: self.outputs,
            record: record,
            retryAt: self.retryAt,
            endsParked: self.endsParked,
            answerPartition: self.answerPartition,
            isCut: self.isCut,
            earlyTimers: self.earlyTimers,
            failure: self.failure,
            end: self.end,
            duration: self.duration,
            handlerDuration: self.handlerDuration
        )
    }

    /// Whether the topics take everything that it would write (R47).
    ///
    /// Headers are left out: what stands in those of intentd's own records is bounded where it is decoded, and so is a
    /// dead letter where it is made.
    var fits: Bool {
        self.outputs.allSatisfy(self.fits)
            && self.writes.values.allSatisfy { ($0?.text.count ?? 0) <= RecordLimits.value } && self.record.fits
    }

    private func fits(_ output: TurnOutput) -> Bool {
        switch output {
        case .event(.resolved, let draft), .event(.confirmed, let draft), .event(.signals, let draft):
            draft.body.content.withParts { RecordLimits.allowsWaiting($0.value) }
        case .event(_, let draft): draft.body.content.valueCount <= RecordLimits.value
        case .forward(let topic, _, _): RecordLimits.allowsForwarding(self.stored, to: topic)
        case .deadLetter: true
        }
    }
}

extension TurnRecord {
    /// Whether `journal` takes the record; only what may be too much is written to find out.
    fileprivate var fits: Bool {
        let read = self.reads.reduce(0) { $0 + $1.json.maximumTextSize }
        let bound = self.before.values.reduce(read) { $0 + $1.count }
        // Beside what was read a record holds little: far less than the other half.
        return bound <= RecordLimits.value / 2 || self.utf8.count <= RecordLimits.value
    }
}
