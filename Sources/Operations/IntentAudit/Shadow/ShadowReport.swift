package import IntentEvents
package import IntentKit

/// The interactions that would end differently with today's handlers (R44).
package struct ShadowReport: Hashable, Sendable {
    /// Interactions of one intent that would change in the same way.
    package struct Change: Hashable, Sendable {
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

    /// The number of interactions that were played.
    package private(set) var interactions = 0
    /// The number of interactions that began before the range, so that they could not be played.
    package internal(set) var leftOut = 0
    /// The number of interactions that would end differently and that a version of another behaviour ran, wholly or in
    /// part: the handlers need not be the cause.
    package private(set) var ofOtherBehaviour = 0
    private var byKind: [Kind: [InteractionID]] = [:]

    package init() {}

    /// The changes, with those of most interactions first.
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

    /// The number of interactions that would end differently.
    package var differing: Int { self.byKind.values.reduce(0) { $0 + $1.count } }

    /// Adds an interaction that was played.
    mutating func add(_ recorded: ShadowCase, _ now: ShadowEnding) {
        self.interactions += 1
        guard now != recorded.ending else { return }
        if recorded.isOfOtherBehaviour { self.ofOtherBehaviour += 1 }
        let descriptions = ShadowEnding.descriptions(recorded.ending, now)
        self.byKind[Kind(intent: recorded.intentName, then: descriptions.then, now: descriptions.now), default: []]
            .append(recorded.interactionID)
    }

    /// The last line.
    package var summary: String {
        "\(self.interactions) interactions, \(self.differing) would end differently"
            + (self.ofOtherBehaviour > 0
                ? " (\(self.ofOtherBehaviour) of them were run by a version of intentd with different rules)" : "")
            + (self.leftOut > 0 ? ", \(self.leftOut) left out because they began earlier" : "")
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
