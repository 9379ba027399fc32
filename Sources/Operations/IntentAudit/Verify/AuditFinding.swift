internal import IntentEvents
package import IntentKit

/// Something that is wrong.
package struct AuditFinding: Hashable, Sendable {
    /// The things that a verification checks.
    package enum Subject: String, Sendable, CaseIterable {
        /// The chain of turns of a stage and partition.
        case chain
        /// The event of a turn.
        case event
        /// What a turn wrote.
        case output
        /// The latest value of a state entry.
        case state
        /// A row of the record database.
        case record
        /// A row of the effects' ledger.
        case effect
        /// A head that was kept elsewhere.
        case anchor
    }

    /// What was checked.
    package var subject: Subject
    /// Where it is: `responses/3/17`, `state resolve/ada/i/3:17`, `turns 3/40`.
    package var location: String
    package var detail: String
    /// The interaction that it is about; nil where that is unknown.
    package var about: InteractionReference?
    /// What the records and the topics say, where they differ and can be shown; not masked.
    package var values: [RecordDifference.Values] = []

    package init(_ subject: Subject, _ location: String, _ detail: String, about: InteractionReference? = nil) {
        self.subject = subject
        self.location = location
        self.detail = detail
        self.about = about
    }

    /// The finding for `--json`, without values: those that show it mask them.
    package var json: JSONValue {
        .members([
            "subject": .string(self.subject.rawValue), "place": .string(self.location), "detail": .string(self.detail),
            "interaction": self.about?.interactionID?.json,
            "user": self.about?.userID?.json,
            "intent": self.about?.intent.map(JSONValue.string),
        ])
    }
}
