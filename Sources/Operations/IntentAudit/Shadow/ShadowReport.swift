package import IntentEvents
package import IntentKit

/// The interactions of which clients would read something else with today's handlers (R44).
package struct ShadowReport: Hashable, Sendable {
    /// Interactions of one intent that would end differently in the same way.
    package struct Change: Hashable, Sendable {
        package var intent: String
        /// How they ended.
        package var then: String
        /// How they would end now.
        package var now: String
        /// The interactions' ids, in the order of their requests.
        package var interactions: [InteractionID]
    }

    /// Interactions in which today's run asks for the same thing, which was never answered (R44).
    package struct Unknown: Hashable, Sendable {
        /// What the recording does not contain, as a predicate: `asks needsValue:phone, which has no recorded answer`.
        package var reason: String
        /// The interactions' ids, in the order of their requests.
        package var interactions: [InteractionID]
    }

    /// Interactions of one intent that differ at the same place.
    package struct Group: Hashable, Sendable {
        /// Interactions with the same values.
        package struct Example: Hashable, Sendable {
            /// What was read, masked; nil for nothing.
            package var then: JSONValue?
            /// What would be read, masked; nil for nothing.
            package var now: JSONValue?
            /// The interactions' ids, in the order of their requests.
            package var interactions: [InteractionID]
        }

        package var intent: String
        package var kind: ShadowDifference.Kind
        /// Where: ``ShadowDifference/path``.
        package var path: String
        /// The values, with those of most interactions first.
        package var examples: [Example]
        /// By how much the values change, where they are numbers, amounts or durations.
        package var figures: Figures?

        /// The number of interactions.
        package var count: Int { self.examples.reduce(0) { $0 + $1.interactions.count } }
    }

    private struct Place: Hashable, Sendable {
        var intent: String
        var kind: ShadowDifference.Kind
        var path: String
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
    /// The number of interactions of which something differs.
    package private(set) var differing = 0
    /// The number of interactions of which something differs and that a version of another behaviour ran, wholly or in
    /// part: the handlers need not be the cause.
    package private(set) var ofOtherBehaviour = 0
    private var playedOf: [String: Int] = [:]
    private var differingOf: [String: Int] = [:]
    private var byKind: [Kind: [InteractionID]] = [:]
    private var byReason: [String: [InteractionID]] = [:]
    private var byPlace: [Place: [ShadowDifference: [InteractionID]]] = [:]

    package init() {}

    /// The number of interactions of an intent that were played, and of those of which something differs.
    package func counts(of intent: String) -> (differing: Int, played: Int) {
        (self.differingOf[intent] ?? 0, self.playedOf[intent] ?? 0)
    }

    /// The ends that would change, with those of most interactions first.
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

    /// The interactions whose end is not known, with the reasons of most of them first.
    package var unknowns: [Unknown] {
        self.byReason.map { Unknown(reason: $0.key, interactions: $0.value.sorted()) }
            .sorted { ($1.interactions.count, $0.reason) < ($0.interactions.count, $1.reason) }
    }

    /// The number of interactions whose end is not known.
    package var unknown: Int { self.byReason.values.reduce(0) { $0 + $1.count } }

    /// The differences, by intent; first the intents and places of most interactions.
    package var groups: [Group] {
        let groups = self.byPlace.map { place, values in
            Group(
                intent: place.intent,
                kind: place.kind,
                path: place.path,
                examples: values.map { .init(then: $0.key.then, now: $0.key.now, interactions: $0.value.sorted()) }
                    .sorted { first, second in
                        if first.interactions.count != second.interactions.count {
                            return first.interactions.count > second.interactions.count
                        }
                        return first.interactions.lexicographicallyPrecedes(second.interactions)
                    },
                figures: Figures(values.mapValues(\.count))
            )
        }
        var sizes: [String: Int] = [:]
        for group in groups { sizes[group.intent] = max(sizes[group.intent] ?? 0, group.count) }
        return groups.sorted { first, second in
            if first.intent != second.intent {
                let (one, other) = (sizes[first.intent] ?? 0, sizes[second.intent] ?? 0)
                return one == other ? first.intent < second.intent : one > other
            }
            if first.count != second.count { return first.count > second.count }
            return (first.kind.rawValue, first.path) < (second.kind.rawValue, second.path)
        }
    }

    /// Adds an interaction that was played.
    mutating func add(_ recorded: ShadowCase, _ now: ShadowEnding, _ differences: [ShadowDifference]) {
        guard now.lacks.isEmpty else {
            self.add(
                recorded.intentName,
                unknown: now.lacks.joined(separator: ", and "),
                recorded.interactionID
            )
            return
        }
        self.add(recorded.intentName, recorded.interactionID, differences)
        guard !differences.isEmpty else { return }
        if recorded.isOfOtherBehaviour { self.ofOtherBehaviour += 1 }
        guard now != recorded.ending else { return }
        let descriptions = ShadowEnding.descriptions(recorded.ending, now)
        self.byKind[Kind(intent: recorded.intentName, then: descriptions.then, now: descriptions.now), default: []]
            .append(recorded.interactionID)
    }

    /// Adds an interaction with its differences.
    mutating func add(_ intent: String, _ interaction: InteractionID, _ differences: [ShadowDifference]) {
        self.interactions += 1
        self.playedOf[intent, default: 0] += 1
        guard !differences.isEmpty else { return }
        self.differing += 1
        self.differingOf[intent, default: 0] += 1
        for difference in differences {
            let place = Place(intent: intent, kind: difference.kind, path: difference.path)
            self.byPlace[place, default: [:]][difference, default: []].append(interaction)
        }
    }

    /// Adds an interaction whose end is not known.
    mutating func add(_ intent: String, unknown reason: String, _ interaction: InteractionID) {
        self.interactions += 1
        self.playedOf[intent, default: 0] += 1
        self.byReason[reason, default: []].append(interaction)
    }

    /// The last line.
    package var summary: String {
        "\(self.interactions) interactions played, \(self.differing) would differ"
            + (self.ofOtherBehaviour > 0
                ? " (\(self.ofOtherBehaviour) of them were run by a version of intentd with different rules)" : "")
            + (self.unknown > 0 ? ", \(self.unknown) unknown" : "")
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
            "differences": .array(
                self.groups.map { group in
                    .members([
                        "intent": .string(group.intent), "kind": .string(group.kind.rawValue),
                        "path": .string(group.path), "count": .integer(Int64(group.count)),
                        "then": group.examples.first?.then, "now": group.examples.first?.now,
                        "figures": group.figures?.json,
                        "interactions": .array(group.examples.flatMap(\.interactions).sorted().map(\.json)),
                    ])
                }
            ),
            "unknown": .array(
                self.unknowns.map {
                    ["reason": .string($0.reason), "interactions": .array($0.interactions.map(\.json))]
                }
            ),
        ]
    }
}
