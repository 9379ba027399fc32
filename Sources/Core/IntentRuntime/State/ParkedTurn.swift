package import IntentEvents
package import IntentKit

/// A turn that was not finished when its batch was due (R5): kept in state until its result is committed.
package struct ParkedTurn: Hashable, Sendable, JSONReadable {
    package var event: StoredRecord
    /// The interaction that it belongs to, if any.
    package var interactionID: InteractionID?
    /// Continuations committed so far (R7).
    package var generation: Int
    /// The number of this try, from 1.
    package var attempt: Int
    /// When its first try began.
    package var startedAt: Timestamp
    /// When its next try begins; nil while it runs.
    package var retryAt: Timestamp?
    /// When its last try failed; nil while it runs, and when an older worker has parked it.
    package var failedAt: Timestamp?
    /// When the user is notified that it takes longer; nil after that, or without a user to notify.
    package var inProgressAt: Timestamp?
    /// When it is cancelled.
    package var timeoutAt: Timestamp
    /// The steps of its handler that are committed, in that order (R74).
    package var steps: [CommittedStep] = []

    /// The oldest format that has everything in it (R57).
    var format: Int { self.steps.isEmpty ? 1 : 2 }

    package init(event: StoredRecord, interactionID: InteractionID?, startedAt: Timestamp, timeoutAt: Timestamp) {
        self.event = event
        self.interactionID = interactionID
        self.generation = 0
        self.attempt = 1
        self.startedAt = startedAt
        self.timeoutAt = timeoutAt
    }

    /// Begins the next try, whose time has come or which an operator has asked for.
    mutating func tryAgain() { (self.retryAt, self.failedAt) = (nil, nil) }

    /// The form in state.
    package var json: JSONValue {
        .members([
            "attempt": .integer(Int64(self.attempt)),
            "event": self.event.json,
            "failedAt": self.failedAt.map { .integer($0.milliseconds) },
            "generation": .integer(Int64(self.generation)),
            "inProgressAt": self.inProgressAt.map { .integer($0.milliseconds) },
            "interaction": self.interactionID?.json,
            "retryAt": self.retryAt.map { .integer($0.milliseconds) },
            "startedAt": .integer(self.startedAt.milliseconds),
            "steps": self.steps.isEmpty ? nil : .array(self.steps.map(\.json)),
            "timeoutAt": .integer(self.timeoutAt.milliseconds),
        ])
    }

    /// The event of a parked turn, even if other members are unreadable; nil when there is none.
    package static func event(in text: [UInt8]) -> StoredRecord? {
        var event: StoredRecord?
        text.withUnsafeBufferPointer { text in
            try? JSONTape.withView(of: text) { event = $0["event"].flatMap(StoredRecord.init(_:)) }
        }
        return event
    }

    package init?(_ json: JSONView) {
        guard let event = json["event"].flatMap(StoredRecord.init(_:)), let generation = json["generation"]?.count,
            let attempt = json["attempt"]?.count, let startedAt = json["startedAt"]?.integer,
            let timeoutAt = json["timeoutAt"]?.integer
        else { return nil }
        var steps: [CommittedStep] = []
        if let kept = json["steps"] {
            for element in kept.elements {
                // Without one of them the handler would do it again.
                guard let step = CommittedStep(json: element.value) else { return nil }
                steps.append(step)
            }
        }
        self.event = event
        self.interactionID = json["interaction"]?.string.map { InteractionID($0) }
        self.generation = generation
        self.attempt = attempt
        self.startedAt = Timestamp(milliseconds: startedAt)
        self.retryAt = json["retryAt"]?.integer.map(Timestamp.init(milliseconds:))
        self.failedAt = json["failedAt"]?.integer.map(Timestamp.init(milliseconds:))
        self.inProgressAt = json["inProgressAt"]?.integer.map(Timestamp.init(milliseconds:))
        self.timeoutAt = Timestamp(milliseconds: timeoutAt)
        self.steps = steps
    }
}
