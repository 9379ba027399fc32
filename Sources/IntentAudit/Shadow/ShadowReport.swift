package import IntentEvents
package import IntentKit

/// Which interactions would end differently with today's handlers (R44).
package struct ShadowReport: Hashable, Sendable {
    /// Interactions of one intent that would change in the same way.
    package struct Change: Hashable, Sendable {
        /// The intent.
        package var intent: String
        /// How they ended.
        package var then: String
        /// How they would end now.
        package var now: String
        /// The interactions' ids, in the order of their requests.
        package var interactions: [InteractionID]
    }

    private struct Kind: Hashable, Sendable {
        var intent: String
        var then: String
        var now: String
    }

    /// How many interactions were played.
    package private(set) var interactions = 0
    /// How many began before the stretch, so that they could not be played.
    package internal(set) var leftOut = 0
    /// How many interactions would end differently and were run, wholly or in part, by a version of another behaviour: that
    /// need not be the handlers' doing.
    package private(set) var ofOtherBehaviour = 0
    private var byKind: [Kind: [InteractionID]] = [:]

    /// Begins with nothing.
    package init() {}

    /// The changes, those of most interactions first.
    package var changes: [Change] {
        self.byKind
            .map { Change(intent: $0.key.intent, then: $0.key.then, now: $0.key.now, interactions: $0.value.sorted()) }
            .sorted { first, second in
                if first.interactions.count != second.interactions.count {
                    return first.interactions.count > second.interactions.count
                }
                return (first.intent, first.then, first.now) < (second.intent, second.then, second.now)
            }
    }

    /// How many interactions would end differently.
    package var differing: Int { self.byKind.values.reduce(0) { $0 + $1.count } }

    /// Adds an interaction that was played.
    mutating func add(_ recorded: ShadowCase, _ now: ShadowEnding) {
        self.interactions += 1
        guard now != recorded.ending else { return }
        if recorded.isOfOtherBehaviour { self.ofOtherBehaviour += 1 }
        let words = ShadowEnding.words(recorded.ending, now)
        self.byKind[Kind(intent: recorded.intentName, then: words.then, now: words.now), default: []]
            .append(recorded.interactionID)
    }

    /// The last line.
    package var summary: String {
        "\(self.interactions) interactions, \(self.differing) would end differently"
            + (self.ofOtherBehaviour > 0
                ? " (\(self.ofOtherBehaviour) of them were run by a version of intentd with other rules)" : "")
            + (self.leftOut > 0 ? ", \(self.leftOut) left out that began before" : "")
    }

    /// The report for `--json`.
    package var json: JSONValue {
        [
            "interactions": .integer(Int64(self.interactions)),
            "differing": .integer(Int64(self.differing)),
            "leftOut": .integer(Int64(self.leftOut)),
            "otherBehaviour": .integer(Int64(self.ofOtherBehaviour)),
            "changes": .array(
                self.changes.map {
                    [
                        "intent": .string($0.intent), "then": .string($0.then), "now": .string($0.now),
                        "interactions": .array($0.interactions.map(\.json)),
                    ]
                }
            ),
        ]
    }
}
