package import IntentEvents
package import IntentKit

/// How the interactions of a time went, by intent: a funnel, where users gave up, and why interactions failed (R91).
package struct InteractionInsight: Hashable, Sendable {
    /// The interactions of an intent.
    package struct Funnel: Hashable, Sendable {
        /// Why interactions failed.
        package struct Failure: Hashable, Sendable {
            /// `endReason` of the terminal response.
            package var reason: String
            /// The intent's own code.
            package var code: String?
            package var count: Int
        }

        /// The last question of interactions that users abandoned.
        package struct Abandonment: Hashable, Sendable {
            /// The prompt's kind.
            package var kind: String
            /// The parameter that was asked for; nil where the prompt is about the whole intent.
            package var parameter: String?
            package var count: Int
        }

        /// The intent's name; nil for requests that name none.
        package var intent: String?
        package var requested = 0
        /// Those in which the user was asked something.
        package var asked = 0
        /// Those that reached `handle`: confirmed by the user, or without need of that.
        package var confirmed = 0
        /// Those that ended as they should: in a success, or in the app.
        package var done = 0
        package var open = 0
        /// Those that the user gave up: cancelled, declined, or left until the prompt expired or could not be asked again.
        package var abandoned = 0
        /// Why the others failed, the most frequent first.
        package var failures: [Failure] = []
        /// Where they were abandoned, the most frequent first.
        package var abandonments: [Abandonment] = []
        /// How many of its interactions were timed.
        package var timed = 0
        /// Milliseconds that those spent in each state, all together; states without any are left out.
        package var times: [InteractionState: Int64] = [:]
    }

    /// The end reasons with which a user, and not the system, ends an interaction that was asked something.
    static let abandoning = ["abortedByUser", "declined", "timeout", "tooManyAttempts"]
    /// The number of abandoned interactions whose last question is looked up, the newest ones.
    package static let maximumAbandoned = 10_000

    /// The number of ended interactions whose times are computed, the newest ones of all intents.
    package static let maximumTimed = 200

    /// By intent, the most requested first.
    package var funnels: [Funnel] = []
    /// Whether there are more abandoned interactions than were looked up.
    package var isAbandonmentCutShort = false

    package init() {}
}

extension RecordArchive {
    /// How the interactions went that were requested in a time.
    ///
    /// It examines every interaction of that time: a million take less than a second.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func insight(
        since: Timestamp?,
        until: Timestamp?,
        intent: String?
    ) async throws -> InteractionInsight {
        try await self.read { try ArchiveQueries($0).insight(since: since, until: until, intent: intent) }
    }
}

extension InteractionInsight {
    /// The insight for programs.
    package var json: JSONValue {
        [
            "intents": .array(self.funnels.map(\.json)),
            "abandonedExamined": .bool(!self.isAbandonmentCutShort),
        ]
    }
}

extension InteractionInsight.Funnel {
    /// Whether there is more to say about them than the counts.
    package var hasDetails: Bool { !self.abandonments.isEmpty || !self.failures.isEmpty || self.timed > 0 }

    /// The mean time in each state, in milliseconds, in the order of the states.
    package var meanTimes: [(state: InteractionState, milliseconds: Int64)] {
        InteractionState.allCases.compactMap { state in
            self.times[state].map { (state, ($0 + Int64(self.timed) / 2) / Int64(max(self.timed, 1))) }
        }
    }

    /// Those that ended in a failure that no user decided.
    package var failed: Int { self.failures.reduce(0) { $0 + $1.count } }

    fileprivate var json: JSONValue {
        [
            "intent": self.intent.map(JSONValue.string) ?? .null,
            "requested": .integer(Int64(self.requested)), "asked": .integer(Int64(self.asked)),
            "confirmed": .integer(Int64(self.confirmed)), "done": .integer(Int64(self.done)),
            "abandoned": .integer(Int64(self.abandoned)), "failed": .integer(Int64(self.failed)),
            "open": .integer(Int64(self.open)), "timed": .integer(Int64(self.timed)),
            "meanTimes": .object(
                JSONObject(self.meanTimes.map { (key: $0.state.rawValue, value: .integer($0.milliseconds)) })
            ),
            "abandonments": .array(
                self.abandonments.map { one in
                    [
                        "kind": .string(one.kind), "parameter": one.parameter.map(JSONValue.string) ?? .null,
                        "count": .integer(Int64(one.count)),
                    ]
                }
            ),
            "failures": .array(
                self.failures.map { one in
                    [
                        "endReason": .string(one.reason), "code": one.code.map(JSONValue.string) ?? .null,
                        "count": .integer(Int64(one.count)),
                    ]
                }
            ),
        ]
    }
}

extension InteractionInsight.Funnel.Failure {
    /// The reason, with the code where it says more.
    package var words: String {
        guard let code = self.code, code != self.reason else { return self.reason }
        return "\(self.reason) (\(code))"
    }
}

extension InteractionInsight.Funnel.Abandonment {
    /// The question: the parameter with the prompt's kind, or the kind alone.
    package var words: String { self.parameter.map { "\($0) (\(self.kind))" } ?? self.kind }
}
