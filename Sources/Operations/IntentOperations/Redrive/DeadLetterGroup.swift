package import IntentEvents
package import IntentKit
package import IntentRecords

/// The dead letters of one error and one intent (R84).
package struct DeadLetterGroup: Hashable, Sendable {
    /// The kind of error; nil where no header names it.
    package var error: String?
    /// The intent; nil where it is not known.
    package var intent: String?
    package var count: Int
    /// When the oldest one was written.
    package var first: Timestamp
    /// When the newest one was written.
    package var last: Timestamp

    private struct Key: Hashable {
        var error: String?
        var intent: String?
    }

    /// The groups of letters, the largest first.
    package static func groups(_ letters: some Sequence<RecordedLetter>) -> [Self] {
        var groups: [Key: Self] = [:]
        for letter in letters {
            let key = Key(error: letter.error, intent: letter.intent)
            var group =
                groups[key]
                ?? Self(
                    error: letter.error,
                    intent: letter.intent,
                    count: 0,
                    first: letter.timestamp,
                    last: letter.timestamp
                )
            group.count += 1
            group.first = min(group.first, letter.timestamp)
            group.last = max(group.last, letter.timestamp)
            groups[key] = group
        }
        return groups.values.sorted { lhs, rhs in
            (-lhs.count, lhs.error ?? "", lhs.intent ?? "") < (-rhs.count, rhs.error ?? "", rhs.intent ?? "")
        }
    }

    /// The form for programs.
    package var json: JSONValue {
        .members([
            "error": self.error.map(JSONValue.string),
            "intent": self.intent.map(JSONValue.string),
            "count": .integer(Int64(self.count)),
            "first": .string(self.first.description),
            "last": .string(self.last.description),
        ])
    }
}
