package import IntentKit

/// What an interaction waits for after a turn that has neither asked nor ended it (R80): its next attempt, or an operator.
package struct TurnWait: Hashable, Sendable {
    /// When the next attempt begins; nil where an operator is waited for.
    package var nextAt: Timestamp?
    /// The number of the next attempt, from 2.
    package var attempt: Int
    /// How many attempts there are at most.
    package var attempts: Int

    package init(nextAt: Timestamp?, attempt: Int, attempts: Int) {
        self.nextAt = nextAt
        self.attempt = attempt
        self.attempts = attempts
    }

    /// The form in the journal.
    package var json: JSONValue {
        .members([
            "attempt": .integer(Int64(self.attempt)), "attempts": .integer(Int64(self.attempts)),
            "nextAt": self.nextAt.map { .string($0.description) },
        ])
    }

    package init?(json: JSONValue) {
        guard let attempt = json["attempt"]?.integer, let attempts = json["attempts"]?.integer else { return nil }
        self.init(
            nextAt: json["nextAt"]?.string.flatMap(Timestamp.init),
            attempt: Int(clamping: attempt),
            attempts: Int(clamping: attempts)
        )
    }
}
