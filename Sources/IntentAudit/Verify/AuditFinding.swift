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
    /// The place: `responses/3/17`, `state resolve/ada/i/3:17`, `turns 3/40`.
    package var place: String
    /// What is wrong.
    package var detail: String

    /// Creates a finding.
    package init(_ subject: Subject, _ place: String, _ detail: String) {
        self.subject = subject
        self.place = place
        self.detail = detail
    }

    /// The finding for `--json`.
    package var json: JSONValue {
        [
            "subject": .string(self.subject.rawValue), "place": .string(self.place), "detail": .string(self.detail),
        ]
    }
}
