package import IntentEvents
package import IntentKit

/// The result of running one turn again.
package struct TurnVerdict: Hashable, Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        /// The same bytes.
        case matched = "Matched"
        /// Other bytes.
        case diverged = "Diverged"
        /// Other bytes, but a version of another behaviour ran the recorded turn: that proves nothing either way.
        case incomparable = "Incomparable"
        /// The event of the turn is missing, or the turn's own record is.
        case missing = "Missing"
        case error = "Error"
    }

    package var outcome: Outcome
    /// The position of its record on `journal`; nil when there is none.
    package var journal: RecordPosition?
    /// The event that was processed.
    package var event: RecordPosition?
    package var stage: Stage?
    package var userID: UserID?
    /// The interaction that it acted on.
    package var interactionID: InteractionID?
    /// The first difference.
    package var difference: Difference?
    /// What it means and what to do; empty for a match.
    package var advice = ""

    package init(_ outcome: Outcome) { self.outcome = outcome }

    init(_ outcome: Outcome, of record: TurnRecord, at journal: RecordPosition, advice: String = "") {
        self.init(outcome)
        self.journal = journal
        self.event = record.position
        self.stage = record.stage
        self.userID = record.userID
        self.interactionID = record.interactionID
        self.advice = advice
    }

    /// The verdict for `--json`.
    package var json: JSONValue {
        .members([
            "outcome": .string(self.outcome.rawValue),
            "journal": self.journal.map { .string($0.description) },
            "event": self.event.map { .string($0.description) },
            "stage": self.stage.map { .string($0.rawValue) },
            "user": self.userID?.json,
            "interaction": self.interactionID?.json,
            "difference": self.difference?.json,
            "advice": self.advice.isEmpty ? nil : .string(self.advice),
        ])
    }
}
